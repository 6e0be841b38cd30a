"""`python -m runtriage`."""

from runtriage.cli.main import program

if __name__ == "__main__":
    program()
