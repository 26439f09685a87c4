"""What `silt doctor` says, by the thing it looked at."""

from support.commands import call


def findings(what: str) -> list[tuple[bool, str]]:
    """Of each finding whether it is good, and its sentence."""
    told = call("doctor", "--json").json
    return [(row["good"], row["told"]) for row in told if row["what"] == what]
