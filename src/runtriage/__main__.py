"""`python -m runtriage`."""

from runtriage.cli.main import main

if __name__ == "__main__":
    main()
