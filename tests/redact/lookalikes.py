"""Lines that only look as if they held a secret. A diagnosis needs them, so they must come through unchanged."""

LINES = """\
max_new_tokens=512 min_new_tokens=1 do_sample=True
Setting `pad_token_id` to `eos_token_id`:50256 for open-end generation.
pad_token='<pad>' eos_token='</s>' bos_token="<s>" unk_token: <unk>
tokenizer=AutoTokenizer.from_pretrained('gpt2') tokenizer_class: LlamaTokenizerFast
tokenizer.pad_token = tokenizer.eos_token
IndexError: token 50257 out of range for vocabulary of size 50257
ValueError: token_type_ids: expected 2 dimensions, got 3
tokens/s: 14023.1 tokens_per_second=14023 consumed_tokens: 104857600 total_tokens=1e12
num_tokens: 2048 | per_token_loss=1.25 | token_accuracy: 0.91
special_tokens_map={'mask_token': '[MASK]', 'sep_token': '[SEP]'}
image_token: '<image>' image_token_id=32000
OSError: You are trying to access a gated repo. Set a token with access to model meta-llama/Llama-3
token=None use_auth_token=True trust_remote_code: false
token = os.environ["HF_TOKEN"]
KeyError: 'password'
KeyError: 'api_key'
Missing key(s) in state_dict: "model.layers.0.self_attn.q_proj.weight", "lm_head.weight".
Unexpected key(s) in state_dict: "module.embed.weight".
access denied for user 'ml'@'10.0.0.5' (using password: YES)
password authentication failed for user "ml"
password=None passwd=*** secret=<redacted>
DB_PASSWORD=${DB_PASSWORD} TOKEN={{ vault.token }}
secret "db-creds" not found
MountVolume.SetUp failed for volume "creds" : secret "gcs-key" not found
secretName: db-creds imagePullSecrets: [nvcr] secretKeyRef: x
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
wandb: commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b on branch main
sha256:9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015
revision=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
fingerprint 9f86d081884c7d659a2feaa0c55ad015 did not match
wandb: Syncing run bright-sun-17 to https://wandb.ai/team/proj/runs/a1b2c3d4
wandb: Currently logged in as: lab-bot (team-dev). Use `wandb login --relogin` to force relogin
PWD=/home/ml/run OLDPWD=/tmp
GOOGLE_APPLICATION_CREDENTIALS=/secrets/sa.json
ssh_private_key: ~/.ssh/id_ed25519
hf_hub_download() got an unexpected keyword argument 'local_dir'
HF_HUB_ENABLE_HF_TRANSFER=1 hf_transfer is not installed
huggingface_hub.errors.LocalTokenNotFoundError: Token is required (`token=True`), but no token found.
sk-learn-contrib and scikit-learn-intelex are not installed
npm_config_cache=/tmp/npm npm_lifecycle_event
http://10.0.0.5:8080/v1/completions?model=llama&stream=true
https://github.com/pytorch/pytorch/issues/12345
tcp://10.10.4.7:29500 rdzv_endpoint=gpu-01:29400
ssh user@host:/data/train.log
git@github.com:org/repo.git
s3://my-bucket/checkpoints/step_1000/model.safetensors
master_key_padding_mask shape torch.Size([8, 128])
key_padding_mask: expected bool, query_key_value: 3
attn_mask=None, key_states.shape=(8, 12, 128, 64)
partition_key: date sort_key=step cache_key: 17
authentication plugin 'caching_sha2_password' cannot be loaded
author: nobody auth: none
session 42 started; session_timeout=30
loss=nan grad_norm=inf lr=3.0e-04 loss_scale=65536.0
NCCL WARN Cuda failure 2 'out of memory'
[rank3]:[E514 02:21:07.1 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1187, OpType=ALLREDUCE)
NVRM: Xid (PCI:0000:3b:00): 79, pid=4321, name=python, GPU has fallen off the bus.
RuntimeError: CUDA error: device-side assert triggered
  File "/opt/conda/lib/python3.10/site-packages/torch/nn/modules/linear.py", line 116, in forward
/workspace/outputs/run_17/checkpoint-1400/pytorch_model.bin
bearer token expired
basic configuration loaded
Basic authentication failed
    c = Client(address, authkey=process.current_process().authkey)
    auth = wandb_login(key=None)
    password = getpass.getpass()
    login(token=args.hf_token, password=self.password)
SIGTERM received, exit code 143
5050505050:29500 backoff
E0514 02:11:07.455000 140737353971520 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -9)
JSONDecodeError: Unexpected token } at position 12
SyntaxError: invalid token (config.py, line 12)
first_token_latency=0.123 next_token: 17 target_token=' the'
optimizer_state_key=exp_avg storage_key=17
Tensor key=query value=3 passes=2 compass=north bypass: 1
connection reset by peer; connection: keep-alive
passed: 12 failed: 3 pass=1
os.environ["MASTER_ADDR"] = "gpu-01"
api_version: v1 api_server: https://10.0.0.1:6443
access_log: /var/log/access.log
keyring: none; keyword=train; keys=['a', 'b']
token_embedding.weight torch.Size([50257, 768]) tok_embeddings.weight
learning_rate: 5e-05 seed=42 world_size=64 rank=37
Traceback (most recent call last):
docker pull nvcr.io/nvidia/pytorch:24.05-py3
python train.py --tokenizer gpt2 --max-tokens 4096 --pass-through --key-size 128
_ZN3c104cuda20CUDACachingAllocator6Native22NativeCachingAllocator6mallocE
$1.20 per hour; cost=$12
fixes = ["renew-credentials", "show-identity"]
("http.cookies", "SimpleCookie"),
def sign(self, msg: bytes, key: Ed25519PrivateKey | Ed448PrivateKey):
special = ("oauth_token", "oauth_token_secret")
self.require_setting("cookie_secret", "secure cookies")
secret "prod-db-creds-v2024" not found
password authentication failed, see https://example.org/a1b2c3d4e5f6
| access_key | bucket |
key=9f86d081884c7d659a2feaa0c55ad015 cache hit
dataset key train_00012_of_01024_shard_A
key: ResNet50V2ImageNet1kWeightsDefault
key layer12AttnQkvProjHead64Dim128
run key: 2026-11-30T01-12-03Z-gpu12-A
login: node gpu07/slot12
csrf enabled
BPSK=8 QPSK=16 psk modulation order=16
Secret[str]
proxy: web:8080
image: ghcr.io/lab/train:nightly2024@sha256:abcdef
JWT verification failed
if key != "layer_12_weight_qkv": continue
token != pad_token
password policy expected 'minlen12'
API key rotated 3 times; private key checkpoint_v2_final.bin
tcp://MASTER_ADDR:MASTER_PORT
http://HOST_NAME:PORT_NUMBER
https://example.org/a?step=100&rank=3&page=2
tokens: {'train': 1000000, 'val': 20000}
tokens: ['Hello', '##ing2', 'COVID19', 'AbcDefGhi1']
token abc12345 not in vocab; token 128009 unexpected token 'foobar12345678'
Missing keys: {'blocks.0.attn.qkv.weight', 'norm1'}
sort_keys: [step, loss1] primary_keys: [user_id1, item_id22]
{"name": "tokens_per_sec", "value": 12345.678} {"key": "eos_token", "value": "<|endoftext|>"}
{"name": "HF_HOME", "value": "/data/hf-cache-2024"}
{"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hf", "key": "token"}}}
processing token 12345678901234567890 of 99999999999999999999
cache key torch_compile_fxgraph_4cd3f2a1b0e9d8c7b6a5
pw: 250W pw=31.5
step=4711 pin_memory=True exit code=137 error_code: 4711 status code: 200
num_tokens;4711
wrong password; try again
epoch;password;3
pinned 4711 pages, spin=1234, mapping code: 12345
docker login -u x nvcr.io && vault login -method=aws
https://hf.co/t/some-long-dataset-name/resolve
get_secret("db-creds") read_secret('projects/p1/secrets/db1') has_key("layer1.weight")
KeyError('layer12.weight') raise MissingSecretError("db-creds-v2 not found") InvalidPassword("too short")
getpass("Password: ")
prompt_password("Password for ml: ")
ask_for_token("huggingface")
tokenizer("hello world 123") count_tokens("abc123def456") token_to_id("<|reserved_250|>") add_tokens(["<x1>", "<x2>"])
sorted(rows, key=lr) max(scores, key="val_loss1") jax.random.PRNGKey(12345) random.key(20240601) split_key("ab12cd34ef")
cache_key("model-v2-step1200") group_by_key("user_id1") registry.lookup_key('resnet50d')
def set_password(self, user): keyboard("abc123") passthrough("conv2d_1") bypass("layer4")
load_credentials("~/.aws/credentials") from_service_account_file("sa-2024.json") set_secret_name("DB_PASSWORD_2")
{"key": "lr", "val": "0.0003"} {"key": "num_tokens", "val": 1048576} {"k": "eos_token", "v": "</s>"}
{"id": "tokenizer", "data": "bpe-32k"} {"field": "max_new_tokens", "value": "512"}
<tr><td>num_tokens</td><td>104857600</td></tr> <tr><td>tokenizer</td><td>gpt2-large-v2</td></tr>
<entry key="max_tokens">4096</entry> <td>key</td><td>value12</td>
gpu-01:29500:gloo:rank0:connected
train.py:120:forward:loss:nan 12:30:45:worker3:done a.py:10:1:E501:line-too-long
step:5432:loss:lr
sshpass: command not found
password='' password="" token=```json
password: `required` secret: `null` token: `</s>`
tokens[0]: 'hello' keys[3]=17 token.text='the' token[None]: x
key=lr key[0]=lr keypass: not found
ENV PATH /usr/bin
ENV HF_HOME /data/hf-cache-2024
set -e; set -o pipefail
set seed 12345 ENV TOKENIZERS_PARALLELISM false
set MAX_TOKENS 4096
AUTH failed
AUTH LOGIN
250-AUTH CRAM-MD5
ERR AUTH called without any password configured
mongo -u a -p --host h
echo done | tee log.txt
echo step1200 | sudo tee /proc/x
mysqladmin -u root ping
spark.executor.memory 16g1234
spark.ssl.enabled true spark.ssl.keyStore /data/keys2
ALTER TABLE runs ADD COLUMN password text
unzip -q data2024.zip -d out
openssl enc -d -in x
--proxy http://p:3128 --proxy p:3128
password required
requirepass is not set
password must be at least 8 characters and contain a digit
bad password count 3
invalid password format; expected password hash sha256
password 'min_len_8' is not a rule; password "sha512"
Password for 'https://alice@example.org':
Password for alice: rejected by policy7.2
Bearer: expired
invalid api key (see https://example.org/a1b2c3)
error code 481516 exit code: 134217728 status code is 481516
mnemonic: mov eax, ebx; mnemonic phrase length 12
recovery code path taken; backup codes: 10 left
&#39;loss&#39; &#60;td&#62; &amp;#61; a &lt; b &#8217;
CUDA\u0448\u043d\u044b\u0439 \u043e\u0448\u0438\u0431\u043a\u0430 password_policy: none
\uff27\uff30\uff35 \uff10\uff1a\u8bad\u7ec3\u5f00\u59cb \uff08loss\uff1d2.5\uff09
""".splitlines()

BLOCKS = [
    "tokens:\n  train: 104857600\n  path: fineweb-edu-100BT-sample",
    "- name: HF_TOKEN\n  valueFrom:\n    secretKeyRef:\n      name: hf-token-v2\n      key: token\n- name: WORLD_SIZE\n  value: '64'",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      key: password\n- value: INFO\n  name: NCCL_DEBUG",
    "secrets:\n  - name: regcred-v2\n  - name: gcs-key-2024",
    "wandb:\n  project: llm-2024\n  entity: lab17\n  key: null",
    "credentials:\n  type: service_account\n  project: proj-1234",
    "password:\n\nretry in 5 seconds",
    "Enter password:\n\nstep 1200 loss 2.5",
    "the attention\nkey: shape12x64heads",
    "token,label\nthe,DT\ncat,NN",
    "step,loss,tokens\n4711,2.5,104857600",
    "user;password;role\n",
    "| step | tokens | loss |\n|---|---|---|\n| 100 | 104857600 | 2.5 |",
    "| name | value |\n|---|---|\n| lr | 3e-4 |\n| num_tokens | 1e9 |\n| tokenizer | gpt2-large-v2 |",
    "name,value\nlr,0.1\nmax_new_tokens,512",
    "rank  key  value\n0     lr   0.1",
    "NAME        READY   STATUS\ntrainer-0   1/1     Running",
    "kind: ConfigMap\ndata:\n  lr: '0.1'\n  url: https\n",
    "data:\n  train: fineweb-100BT\n  val: c4\nmodel:\n  size: 7B",
    "data:\n  path: /data/train\n",
    "<table><tr><th>step</th><th>tokens</th></tr><tr><td>100</td><td>104857600</td></tr></table>",
]
