"""The forms of a block: as documented, whole whatever a memory says, and recognised as ours."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.layouts import DOCUMENT, document, sample
from support.recalled import LARKSPUR, block, memory, prepare, view_of

from siltstone.pipeline.reading.echo import strip
from siltstone.recall.block import HOT_CHARS
from siltstone.recall.layouts import LAYOUTS, SessionTexts
from siltstone.recall.prepared import Hit
from siltstone.recall.selection import Budget
from siltstone.store.entry import GLOBAL, Stored

layouts = pytest.mark.parametrize("layout", sorted(LAYOUTS))


def test_the_samples_in_the_documents_are_what_is_shown() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run `make docs`"


def test_the_block_of_the_system_we_learn_from(tmp_path: Path) -> None:
    """A27: head and groups are the same; ours adds the wrapper, a label and the receipt."""
    prepare(
        tmp_path,
        [
            memory("Docs live under docs/.", "reference"),
            memory("Keep health waves behavior-preserving.", "decision"),
            memory("This repository uses Node's built-in test runner.", "project"),
            memory("Prefer concise verification summaries.", "feedback"),
            memory("Superseded entries stay out of prompts.", "feedback", superseded_by="global/x.md"),
        ],
    )
    lines = block(view_of(tmp_path)).text.splitlines()
    assert [lines[0], lines[1], *lines[3:-2], lines[-1]] == [
        "<siltstone-memory>",
        "Workspace memory (cross-session, verify if stale):",
        "feedback:",
        "- Prefer concise verification summaries.",
        "project:",
        "- This repository uses Node's built-in test runner.",
        "decision:",
        "- Keep health waves behavior-preserving.",
        "reference:",
        "- Docs live under docs/.",
        "</siltstone-memory>",
    ]


@layouts
def test_nothing_to_show_is_nothing(tmp_path: Path, layout: str) -> None:
    prepare(tmp_path, [])
    assert block(view_of(tmp_path), layout=layout).text == ""
    running = SessionTexts("open_errors: (none)")
    assert "open_errors" in block(view_of(tmp_path), layout=layout, session=running).text
    prepare(tmp_path, [memory("A fact")])
    made = block(view_of(tmp_path), layout=layout, budget=Budget(10))
    assert (made.text, made.receipt.left) == ("", {"over_budget": 1})


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"description": "What I am"}, id="a hot description"),
        pytest.param({"body": "one\nthree"}, id="a hot body"),
        pytest.param({"scope": LARKSPUR}, id="another scope"),
        pytest.param({"name": "person"}, id="another file"),
        pytest.param({"hot": False}, id="a cold line"),
    ],
)
def test_what_makes_a_block_of_files_another(tmp_path: Path, change: dict[str, Any]) -> None:
    """What the hash of memfs covers (D17, Source). `readonly`, which it covers too, is not shown here."""

    def text(*stored: Stored) -> str:
        prepare(tmp_path, stored)
        return block(view_of(tmp_path), layout="memfs").text

    hot: dict[str, Any] = {"description": "Who I am", "type": "user", "scope": GLOBAL, "name": "human"}
    hot |= {"hot": True, "body": "one\ntwo"}
    cold = memory("How to debug", "reference", name="debugging", body="long text")
    before = text(memory(**hot), cold)
    assert text(cold, memory(**hot)) == before
    assert text(memory(**hot | change), cold) != before
    assert text(memory(**hot)) != before


def test_files_as_memfs_shows_them(tmp_path: Path) -> None:
    """D15 and its vectors: sizes in the tree, bodies apart, an empty one said to be empty, a line each."""
    stored = [
        memory("Who\nI am", "user", scope=GLOBAL, name="human", hot=True, body="x" * 200),
        memory("Nothing yet", "project", name="project", hot=True, body=""),
        memory("How to debug", "reference", name="debugging", body="long\ntext"),
    ]
    prepare(tmp_path, stored)
    text = block(view_of(tmp_path), layout="memfs").text
    assert text.startswith('<memfs>\n<tree scope="global">\n')
    assert text.endswith("</memfs>\n")
    assert "- system/user-human.md (200/5000) — Who I am\n" in text
    assert "- reference-debugging.md (9/5000) — How to debug\n" in text
    assert "</system>\n\n<system" in text
    assert "\n  (empty)\n</system>" in text
    prepare(tmp_path, stored[2:])
    assert "<system" not in block(view_of(tmp_path), layout="memfs").text


def test_sections_stand_in_the_order_of_the_system_and_only_with_content() -> None:
    """E7."""
    heads = re.findall(r"^## (.+)$", sample("sections").text, re.M)
    order = ["Project Brief", "Tech Context", "Last Session", "User Preferences", "Relevant to Current Task"]
    assert [head for head in heads if head in order] == order
    assert "Architecture" not in heads


@layouts
def test_a_hit_is_shown_with_its_score_and_not_twice(tmp_path: Path, layout: str) -> None:
    prepare(tmp_path, [memory("Rates come from Bring", days=5), memory("Hosting is Vercel")])
    view = view_of(tmp_path)
    (rates,) = [one for one in view.candidates if "Rates" in one.line]
    made = block(view, hits=[Hit(rates, 72)], layout=layout)
    assert made.text.count("Rates come from Bring") == 1
    assert "- [72%, 2026-11-15] Rates come from Bring\n" in made.text
    assert [one.how for one in made.receipt.shown] == ["hit", "line"]


def test_hits_give_way_to_a_small_budget(tmp_path: Path) -> None:
    prepare(tmp_path, [memory(f"Fact {n} " + "x" * 150) for n in range(9)])
    view = view_of(tmp_path)
    made = block(view, hits=[Hit(one, 50) for one in view.candidates], budget=Budget(1200))
    assert len(made.text) <= 1200 * 5 / 3
    assert {one.how for one in made.receipt.shown} == {"hit"}


@layouts
def test_hot_bodies_are_whole_within_their_limits(tmp_path: Path, layout: str) -> None:
    prepare(
        tmp_path,
        [
            memory("First", name="a", hot=True, body="one\ntwo\nthree", limit=8),
            memory("Large", name="b", hot=True, body="x" * 40 + "\n" + "y\n" * 9000, limit=99_999),
            memory("Last", name="c", hot=True, body="the last"),
            memory("Cold"),
        ],
    )
    made = block(view_of(tmp_path), layout=layout)
    assert "  one\n  two\n  …\n" in made.text
    assert "Cold" in made.text
    assert "the last" in made.text
    assert len(made.text) < HOT_CHARS + 3600
    assert "- Large" in made.text or "— Large" in made.text
    assert [one.how for one in made.receipt.shown] == ["whole", "pinned line", "whole", "line"]


def test_a_store_with_everything_pinned_stays_within_bounds(tmp_path: Path) -> None:
    prepare(tmp_path, [memory(f"Pinned {n:03} {'x' * 200}", hot=True, body="y" * 900) for n in range(200)])
    made = block(view_of(tmp_path))
    assert len(made.text) < HOT_CHARS + 3600
    assert 0 < made.receipt.left["over_hot"] == 200 - len(made.receipt.shown) < 200


@layouts
def test_every_pinned_memory_has_its_line_before_any_has_its_body(tmp_path: Path, layout: str) -> None:
    pinned = [memory(f"Pinned {n:02} {'x' * 100}", hot=True, body="y" * 4000) for n in range(30)]
    prepare(tmp_path, pinned)
    made = block(view_of(tmp_path), layout=layout)
    assert all(f"Pinned {n:02}" in made.text for n in range(30))
    assert Counter(one.how for one in made.receipt.shown) == {"whole": 1, "pinned line": 29}
    assert made.text.count("Always\n") + made.text.count("always:\n") == (layout != "memfs")


NASTY = st.lists(
    st.sampled_from(
        [
            "</siltstone-memory>", "</memfs>", "</system>", "</tree>", "<siltstone-memory>", "\n", "\r",
            "\n\nHuman: ", "[MEMORY]", "## Decisions", "feedback:", "---", "<system>", "x", " ", "\u200b",
            "(9 of 9 shown, 0 stale, 0 in conflict)", "Hot session state (current session):",
            "İ", "\u2028", '">',
        ]
    ),
    max_size=9,
).map("".join) | st.text(max_size=40)  # fmt: skip


@given(st.lists(st.tuples(NASTY, NASTY, st.booleans()), max_size=5), st.sampled_from(sorted(LAYOUTS)))
@example([("İİİİİİİİ", "İ" * 50, True)], "default")
def test_no_memory_breaks_out_of_its_block(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, str, bool]], layout: str
) -> None:
    folder = tmp_path_factory.mktemp("v")
    stored: list[Stored] = [
        memory(description, name=f"n{n}", body=body, hot=hot)
        for n, (description, body, hot) in enumerate(said)
    ]
    prepare(folder, stored)
    plain = [memory("plain", name=f"n{n}", body="plain", hot=hot) for n, (_, _, hot) in enumerate(said)]
    text = block(view_of(folder), layout=layout).text
    prepare(folder, plain)
    assert ours(text) == ours(block(view_of(folder), layout=layout).text)
    assert strip(text) == ""
    assert strip(f"before\n{text}\nafter").split() == ["before", "after"] if text else True


def ours(text: str) -> list[str]:
    """The lines that are no memory's: those at the start of a line, sizes apart."""
    lines = [line for line in text.splitlines() if line and not line.startswith(("- ", "  "))]
    return [re.sub(r'chars="\d+"', "", line) for line in lines]


@layouts
def test_every_block_is_recognised_as_ours(layout: str) -> None:
    """Invariant 7: what we show is never mined again. A40: a typical block has under 2,000 characters."""
    text = sample(layout).text
    assert 500 < len(text) < 2000
    assert strip(text) == ""
    assert strip(f"Please go on.\n\n{text}\nThanks.").split() == ["Please", "go", "on.", "Thanks."]
