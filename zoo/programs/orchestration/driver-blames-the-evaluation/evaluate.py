import os

print("evaluate  model.bin is", "there" if os.path.exists("model.bin") else "not there")
