"""Settings files as people and programs leave them, for Hypothesis."""

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["hooks", "Stop", "mcpServers", "siltstone", "a", "b c", "ü//", "/*", "q\"'\\"])
SCALARS: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from(["", "x", "// no", "/* no */", "日", "{"])
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(NAMES, below, max_size=3),
    max_leaves=12,
)
SETTINGS = st.dictionaries(NAMES.filter(lambda name: name not in ("hooks", "mcpServers")), VALUES, max_size=4)


@dataclass(frozen=True)
class Layout:
    """How a text is written."""

    unit: str
    newline: str
    remarks: bool
    trailing: bool
    end: str

    def text(self, value: Any) -> str:
        return ("// head" + self.newline if self.remarks else "") + self._of(value, 0) + self.end

    def _of(self, value: Any, depth: int) -> str:
        if not isinstance(value, (dict, list)) or not value:
            return json.dumps(value, ensure_ascii=False)
        brackets = "{}" if isinstance(value, dict) else "[]"
        if isinstance(value, dict):
            parts = [
                f"{json.dumps(k, ensure_ascii=False)}: {self._of(v, depth + 1)}" for k, v in value.items()
            ]
        else:
            parts = [self._of(item, depth + 1) for item in value]
        if not self.newline:
            return brackets[0] + ", ".join(parts) + brackets[1]
        lines = [
            part + ("," if i + 1 < len(parts) or self.trailing else "") + (" // why" if self.remarks else "")
            for i, part in enumerate(parts)
        ]
        before = self.newline + self.unit * (depth + 1)
        return brackets[0] + before + before.join(lines) + self.newline + self.unit * depth + brackets[1]


def layouts() -> st.SearchStrategy[Layout]:
    one_line = st.builds(Layout, st.just(""), st.just(""), st.just(False), st.just(False), st.just(""))
    lines = st.builds(
        Layout,
        st.sampled_from(["  ", "    ", "\t"]),
        st.sampled_from(["\n", "\r\n"]),
        st.booleans(),
        st.booleans(),
        st.sampled_from(["", "\n"]),
    )
    return one_line | lines
