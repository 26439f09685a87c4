"""Reading lists out of replies: what models make of JSON is understood, half an answer never is."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.pipeline.model.json_reply import MAX_CHARS, Unreadable, items

TWO = [{"body": "one"}, {"body": "two"}]

READ = {
    "plain": ('{"memories": [{"body": "one"}]}', [{"body": "one"}]),
    "nothing": ('{"memories": []}', []),
    "bare nothing": ("[]", []),
    "fenced nothing": ("```json\n[]\n```", []),
    "fenced with words around": ('Sure!\n```json\n{"memories": ["a"]}\n```\nHope it helps.', ["a"]),
    "bare list": ('[{"body": "one"}, {"body": "two"}]', TWO),
    "bare strings": ('["use pnpm"]', ["use pnpm"]),
    "bare object": ('{"body": "one"}', [{"body": "one"}]),
    "objects a line": ('{"body": "one"}\n{"body": "two"}', TWO),
    "brackets in the words before": ('[15] and {x} say so: {"memories": ["a"]}', ["a"]),
    "thinking before": ('<think>{"memories": ["maybe"]}</think>{"memories": []}', []),
    "byte order mark": ('\ufeff{"memories": []}', []),
    "trailing commas": ('{"memories": [{"body": "one",}, {"body": "two"},],}', TWO),
    "comments": ('{"memories": [ // all\n{"body": "one"}, /* and */ {"body": "two"}\n# end\n]}', TWO),
    "python": ("{'memories': [{'body': 'it\\'s', 'target': None, 'new': True}]}",
               [{"body": "it's", "target": None, "new": True}]),
    "bare keys": ("{memories: [{n: 3, body: 'one'}]}", [{"n": 3, "body": "one"}]),
    "curly quotes": ("{“memories”: [{“body”: “one”}]}", [{"body": "one"}]),
    "quotes in a string": ('{"memories": [{"body": "say "no" twice"}]}', [{"body": 'say "no" twice'}]),
    "raw line end in a string": ('{"memories": [{"body": "a\nb"}]}', [{"body": "a\nb"}]),
    "escapes in near-JSON": ('{"memories": ["\\u00a3\\n\\"x\\"",]}', ['£\n"x"']),
}  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), READ.values(), ids=READ.keys())
def test_read(text: str, wanted: list[object]) -> None:
    assert items(text, "memories") == wanted


UNREAD = {
    "nothing at all": ("", "it is empty"),
    "empty fence": ("```json\n```", "it is empty"),
    "words": ("I found nothing worth keeping.", 'no JSON object with a list "memories"'),
    "words with brackets": ("the call arr[] and f{} fail", 'no JSON object with a list "memories"'),
    "null": ("null", "no JSON object"),
    "no list under the key": ('{"memories": "none"}', "no JSON object"),
    "cut between items": ('{"memories": [{"body": "one"}, ', "its JSON is broken"),
    "cut in a string": ('{"memories": [{"body": "one"}, {"body": "tw', "its JSON is broken"),
    "one item broken": ('{"memories": [{"body": "one"}, {"body" "two"}]}', "its JSON is broken"),
    "a list quoted in a broken answer": ("""{"memories": [{"body" "x {'memories': []} "}]}""", "broken"),
    "a second answer cut off": ('{"memories": []} or rather {"memories": [{"body', "its JSON is broken"),
    "megabytes": (f'{{"memories": ["{"x" * 10_000_000}"]}}', "10,000,018 characters, more than 1,000,000"),
    "deep": ('{"memories": ' + "[" * 100_000, "its JSON is broken"),
}


@pytest.mark.parametrize(("text", "why"), UNREAD.values(), ids=UNREAD.keys())
def test_unread(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        items(text, "memories")


HOSTILE = {
    "brackets": "[",
    "braces and spaces": "{ ",
    "keys without end": '{"a"',
    "comments without end": "{/*",
    "stars": "{/**",
    "backslashes": '{"a":"\\\\',
    "quotes": '{"a":"" ',
    "line ends": '{"a":"\n\n',
    "fences": "```",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_long_reply_of_nonsense_is_given_up(piece: str) -> None:
    with pytest.raises(Unreadable):
        items((piece * MAX_CHARS)[:MAX_CHARS], "memories")


MEAN = "ab{}[]\"'`:,\\/*# \n“é"
values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(MEAN, max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(MEAN, max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40)
@given(st.lists(st.dictionaries(st.sampled_from(["body", "n", "evidence"]), values, max_size=3), max_size=4))
def test_what_is_written_as_json_is_read_and_never_in_part(wanted: list[dict[str, object]]) -> None:
    text = json.dumps({"memories": wanted}, ensure_ascii=False)
    assert items(text, "memories") == wanted
    for end in range(len(text)):
        with pytest.raises(Unreadable):
            items(text[:end], "memories")


@settings(max_examples=100)
@given(st.text(MEAN, max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(items(text, "memories"), list)
    except Unreadable as unreadable:
        assert str(unreadable)  # noqa: PT017 (both outcomes are fine)
