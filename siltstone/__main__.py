"""Entry point of `silt` and `python -m siltstone`."""


def main() -> None:
    from siltstone.cli.app import app

    app()


if __name__ == "__main__":
    main()
