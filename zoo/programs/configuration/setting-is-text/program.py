import json
open("config.json", "w").write('{"epochs": "10", "lr": 0.1}')
config = json.load(open("config.json"))
print("settings", config)
epoch = 0
while epoch < config["epochs"]:
    epoch += 1
