"""Entry point of `silt` and `python -m siltstone`."""


def main() -> None:
    """Run the command line."""
    from siltstone.cli.app import main as run
    from siltstone.cli.output import prepare

    prepare()
    run()


if __name__ == "__main__":
    main()
