"""What `silt doctor` found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    what: str
    good: bool
    told: str
