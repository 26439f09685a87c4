"""What stands in a folder, to be compared with what stands there later."""

from pathlib import Path


def everything(root: Path) -> dict[str, bytes | None]:
    """By its path in the folder: of each file its bytes, of a folder None."""
    found = sorted(root.rglob("*"))
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in found}
