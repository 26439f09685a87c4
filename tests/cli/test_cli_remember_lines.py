"""`silt remember -`: many memories from standard input, a line each, in one commit."""

from pathlib import Path

from support.commands import Said, call


def commits() -> int:
    return len(call("log", "--json").json)


def test_each_line_is_a_memory_and_all_are_one_commit(kept: Said) -> None:
    before = commits()
    text = (
        "The API listens on port 8480\n\nI live in Porto\nDeploys go out on Tuesdays only\n...\n"
        "the deploy token is ghp_a8Kd92LmQzX0vB7nT4yR6sWcE1hJ3uFg5pIo, ask Ines for a new one\n"
    )
    said = call("remember", "-", given=text)
    assert (said.code, said.out) == (1, "3 kept, 1 already known, 1 not kept\n")
    assert said.err.splitlines() == [
        "silt: 1 line held something that looked like a secret; it was left out",
        'silt: line 5: Not saved: there is nothing to remember. Give a sentence, for example "we use pnpm".',
    ]
    assert commits() == before + 1
    assert {one["scope"] for one in call("list", "--json").json} == {"global", "projects/larkspur"}


def test_many_lines(home: Path) -> None:
    lines = [f"Order form {number} is kept in cupboard {number * 7}" for number in range(300)]
    said = call("remember", "-", "--type", "project", given="\n".join(lines))
    assert (said.code, said.out, said.err) == (0, "300 kept, 0 already known\n", "")
    assert len(call("list", "--json").json) == 300
    again = call("remember", "-", "--type", "project", given="\n".join(lines))
    assert again.out == "0 kept, 300 already known\n"


def test_a_line_the_store_refuses_is_named(home: Path, kept: Said) -> None:
    assert call("forget", "deploys-go-out-on-tuesdays-only").code == 0
    said = call(
        "remember", "-", given=f"{'a long row of words ' * 400}\nthe wiki is at wiki.larkspur.example\n"
    )
    assert said.out == "1 kept, 0 already known, 1 not kept\n"
    assert said.err.startswith("silt: line 1: Not saved: ")
