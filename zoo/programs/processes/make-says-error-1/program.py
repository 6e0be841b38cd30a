import sys
print("reading configuration")
sys.exit(1)
