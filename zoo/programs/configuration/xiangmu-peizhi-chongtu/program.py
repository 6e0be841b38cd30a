import configparser
import sys
import time


def 日志(级别, 内容):
    print(f"{time.strftime('%Y年%m月%d日 %H:%M:%S')} 【{级别}】 {内容}", flush=True)


配置 = configparser.ConfigParser()
配置.read(sys.argv[sys.argv.index("--config") + 1], encoding="utf-8")
日志("信息", "读取配置文件 peizhi.ini")
for 段 in 配置.sections():
    for 键, 值 in 配置[段].items():
        日志("信息", f"  {段}.{键} = {值}")
train, model = 配置["train"], 配置["model"]
日志("警告", "gradient_checkpointing 打开时 use_cache 不起作用, 已自动关闭")
冲突 = []
if train["precision"] == "fp8" and train["device"] == "cpu":
    冲突.append("precision=fp8 不能与 device=cpu 同时使用")
if model.getint("top_k") > model.getint("experts"):
    冲突.append(f"top_k={model['top_k']} 大于 experts={model['experts']}")
if 冲突:
    for i, c in enumerate(冲突, 1):
        日志("错误", f"配置无效 ({i}/{len(冲突)}): {c}")
    日志("信息", "训练没有开始, 程序退出")
    sys.exit(2)
