from pathlib import Path

import typer


def main(data: Path = typer.Option(..., help="training shards"), steps: int = 100):
    for step in range(steps):
        print(step, data)


if __name__ == "__main__":
    typer.run(main)
