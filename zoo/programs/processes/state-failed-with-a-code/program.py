import time

time.sleep(2)
weights = [0.0] * 4
print(sum(weights) / len([w for w in weights if w]))
