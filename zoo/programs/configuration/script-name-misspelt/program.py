"""Never runs: the command names another file."""
print("step 1")
