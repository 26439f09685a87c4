"""The page of `silt ui` over HTTP: who gets in, what it shows, and that it does what the commands do."""

import fcntl
import os
import re
import sqlite3
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest
from support.code import Project
from support.commands import Said, call
from support.endpoint import LOOPBACK
from support.page import Reply, Served, served, served_by_silt

from siltstone.store.entry import Entry
from siltstone.store.frontmatter import render
from siltstone.store.state import State

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)

HERON = "/graph?scope=projects%2Fheron"
PAGES = ("/", "/memories", "/memories?q=shipping", "/graph", HERON, "/timeline", "/cost")
FORTY, FIFTY = "Free shipping starts at 40 EUR", "Free shipping starts at 50 EUR"
AT = datetime(2026, 9, 1, tzinfo=UTC)
KINDS = ("webhooks", "invoices", "couriers", "parcels", "tariffs")
WHAT = ("of Falcon", "at noon", "in Utrecht", "by rail")
UPLOADS = "It uploads first and signs afterwards"


@pytest.fixture
def page(demo: Path) -> Iterator[Served]:
    with served() as opened:
        yield opened


def held() -> str:
    return "\n".join(one["body"] for one in call("list", "--json").json)


def answered(page: Served, key: str, about: str) -> dict[str, str]:
    """The form of what waits and has these words, filled in."""
    (form,) = [one for one in page.ask("/").forms("/answer") if about in one["id"]]
    return form | {"answer": key}


FOREIGN: list[dict[str, str]] = [
    {"Cookie": ""},
    {"Cookie": "silt=1"},
    {"Host": "localhost"},
    {"Host": "rebound.example"},
    {"Host": ""},
    {"Origin": "http://evil.example"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "null"},
    {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
]


def test_who_is_not_on_the_page_is_refused(page: Served) -> None:
    before, form = call("log", "--json").json, answered(page, "r", "uploads")
    for headers in FOREIGN:
        for reply in (page.ask("/", None, **headers), page.ask("/answer", form, **headers)):
            assert reply.status in (400, 403), headers
            assert "shipping" not in reply.text
    assert page.ask("/answer", form, Origin="").status == 403
    assert page.ask("/answer", {"kind": "x" * 20_000}).status == 413
    assert call("log", "--json").json == before


def test_the_token_is_taken_at_the_door_alone_and_becomes_a_cookie(kept: Said) -> None:
    with served_by_silt() as page:
        asked = page.address.removeprefix(page.origin)
        assert page.origin.startswith("http://127.0.0.1:")
        assert page.ask("/?token=wrong").status == 403
        assert page.ask(f"/memories{asked[1:]}").status == 403
        assert page.ask(asked, Host="rebound.example").status == 403
        entered = page.enter()
        assert (entered.status, entered.headers["location"]) == (303, "/")
        assert re.search(r"; HttpOnly; Path=/; SameSite=strict$", entered.headers["set-cookie"])
        assert page.ask(asked).headers["location"] == "/"


def test_the_address_that_a_browser_is_started_with_is_good_once(
    kept: Said, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, told = home / "browser", home / "told"
    os.mkfifo(told)
    browser.write_text(f'#!/bin/sh\necho "$1" > {told}\nexec cat {told}\n', encoding="utf-8")
    browser.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setenv("DISPLAY", ":9")
    with served_by_silt(opens=True) as page:
        once = told.read_text(encoding="utf-8").strip()
        assert once != page.address
        assert page.ask(once.removeprefix(page.origin)).status == 303
        assert page.ask(once.removeprefix(page.origin)).status == 403
        assert page.enter().status == 303
        told.write_text("", encoding="utf-8")  # ends the browser


def test_pages_take_nothing_but_ours_and_send_nothing_elsewhere(page: Served) -> None:
    for path in (*PAGES, "/nowhere", "/memory?path=../../etc/passwd", "/page.js"):
        reply = page.ask(path)
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self';" in policy
        assert "unsafe" not in policy
        assert reply.headers["cache-control"] == "no-store"
        if path in PAGES:
            assert reply.status == 200
            assert re.findall(r"<script[^>]*>", reply.text) == ['<script src="/page.js" defer>']
            assert not re.search(r"<style|<[^>]* (style|on\w+)=|(src|href|action)=\"[^/]", reply.text)
    assert "'../../etc/passwd' is not a memory" in page.ask("/memory?path=../../etc/passwd").words
    assert page.ask("/memory?path=global/user-nobody.md").status == 404


HOSTILE = '<img src=x onerror="alert(1)">\u202e</p><script>alert(2)</script>\u200b&amp; end'


def test_a_memory_is_shown_as_text_and_what_nobody_would_see_is_named(home: Path) -> None:
    assert call("remember", "Tabs are four spaces wide", "--type", "project").code == 0
    path = next((home / "store" / "projects" / "larkspur").glob("project-*.md"))
    head, _, _ = path.read_text("utf-8").rpartition("Tabs are four spaces wide")
    path.write_text(f"{head}{HOSTILE}\n", encoding="utf-8")
    call("flush")
    said = 'x"><script>alert(3)</script>\u2066'
    assert call("write", "claimed", f"Claimed {said}", "--session", "claude/s1").code == 0
    with served() as page:
        told = page.ask("/memories?q=%22%3E%3Cscript%3E").text + page.ask("/").text
        shown = page.ask(f"/memory?path=projects/larkspur/{path.name}")
    assert shown.status == 200, shown.words
    everything = told + shown.text
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in shown.text
    assert not re.search(r"<script>|<img", everything)
    assert not re.search("[\u202e\u2066\u200b]", everything)
    for name in ("U+202E right-to-left override", "U+200B zero width space"):
        assert name in shown.words
    assert "&amp;amp; end" in shown.text


@pytest.mark.parametrize(
    ("about", "key", "there", "gone"),
    [
        ("", "1", FORTY, FIFTY),
        ("", "2", FIFTY, FORTY),
        ("", "b", FIFTY, "nothing"),
        ("uploads", "a", UPLOADS, "nothing"),
        ("uploads", "r", FIFTY, UPLOADS),
    ],
)
def test_an_answer_does_what_the_command_does_and_can_be_taken_back(
    page: Served, about: str, key: str, there: str, gone: str
) -> None:
    waiting = page.ask("/")
    before, form = held(), waiting.forms("/answer")[0] if not about else answered(page, key, about)
    reply = page.ask("/answer", form | {"answer": key})
    assert reply.status == 200
    assert there in held()
    assert gone not in held()
    assert len(reply.forms("/answer")) == 2
    (undo,) = reply.forms("/undo")
    back = page.ask("/undo", undo)
    assert " undone: " in back.words
    assert held() == before
    assert back.forms("/answer") == waiting.forms("/answer")
    assert back.forms("/undo") == []


def test_a_stale_decision_says_so_and_changes_nothing(page: Served, demo: Path) -> None:
    conflict, upload = page.ask("/").forms("/answer")[0] | {"answer": "1"}, answered(page, "a", "uploads")
    item = demo / "store" / upload["id"]
    item.write_text(item.read_text("utf-8").replace("signs afterwards", "signs never"), encoding="utf-8")
    assert call("conflicts", "resolve", conflict["id"], "--keep", "2").code == 0
    before = call("log", "--json").json
    for form, why in ((conflict, "settled elsewhere in the meantime"), (upload, "changed since you saw it")):
        reply = page.ask("/answer", form)
        assert reply.status == 409
        assert why in reply.words
    assert call("log", "--json").json == before
    assert page.ask("/answer", answered(page, "a", "uploads")).status == 200
    assert "signs never" in held()


def test_what_was_touched_since_is_not_taken_back(page: Served, demo: Path) -> None:
    (undo,) = page.ask("/answer", answered(page, "a", "uploads")).forms("/undo")
    (kept,) = (demo / "store" / "projects" / "otter").glob("*uploads*.md")
    kept.write_text(kept.read_text("utf-8").replace("signs afterwards", "signs never"), encoding="utf-8")
    assert "was left alone: it has changed since" in page.ask("/undo", undo).words
    assert "signs never" in held()
    assert page.ask("/undo", {"commit": "0" * 40}).status == 409


def test_a_batch_that_writes_meanwhile_is_told_and_nothing_is_lost(page: Served, demo: Path) -> None:
    form = answered(page, "r", "uploads")
    with open(demo / "store" / ".git" / "silt-lock", "a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        reply = page.ask("/answer", form)
    assert reply.status == 409
    assert "try again later" in reply.words
    assert form | {"answer": "r"} == answered(page, "r", "uploads")


def test_an_answer_counts_whose_indexes_have_to_wait(page: Served, demo: Path) -> None:
    form = answered(page, "a", "uploads")
    with sqlite3.connect(demo / "state" / "search.sqlite3") as other:
        other.execute("begin immediate")
        reply = page.ask("/answer", form)
    assert "done; agents will see it after the next run" in reply.words
    assert UPLOADS in held()
    assert "undone" in page.ask("/undo", reply.forms("/undo")[0]).words
    assert UPLOADS not in held()


def test_a_file_that_cannot_be_read_is_named_and_no_answer_is_made_of_it(page: Served, demo: Path) -> None:
    (side,) = (demo / "store" / "projects" / "heron").glob("*40-eur.md")
    side.write_bytes(b"\xff no memory")
    (form, *_) = page.ask("/").forms("/answer")
    for path in PAGES[:-1]:
        assert f"{side.name}, line 1: is not UTF-8" in page.ask(path).words
    reply = page.ask("/answer", form | {"answer": "1"})
    assert (reply.status, len(reply.forms("/answer"))) == (409, 3)
    assert "cannot be read; mend that file" in reply.words
    side.unlink()
    (form, *_) = page.ask("/").forms("/answer")
    gone = page.ask("/answer", form | {"answer": "2"})
    assert "closed" in gone.words
    assert len(gone.forms("/answer")) == 2


def test_without_git_it_shows_and_says_why_nothing_is_done(page: Served, demo: Path) -> None:
    form = answered(page, "a", "uploads")
    (demo / "store" / ".git").rename(demo / "git")
    for path, status in (("/", 200), ("/memories", 200), (HERON, 200), ("/timeline", 400)):
        shown = page.ask(path)
        assert (shown.status, "nothing is written" in shown.words) == (status, True)
    reply = page.ask("/answer", form)
    assert (reply.status, "nothing is written" in reply.words) == (409, True)
    (demo / "git").rename(demo / "store" / ".git")
    assert page.ask("/answer", form).status == 200


def test_a_large_store_is_shown_in_parts(home: Path, kept: Said) -> None:
    for n in range(700):
        linked(home / "store", f"projects/{'otter' if n % 7 else 'heron'}", f"n-{n}", f"Parcel number {n}")
    assert call("flush").code == 0
    with served() as page:
        seen, path = set[str](), "/memories"
        while path:
            reply = page.ask(path)
            assert len(reply.text) < 120_000
            seen |= set(re.findall(r">Parcel number (\d+)<", reply.text))
            (path, *_) = [*map(unescape, re.findall(r'href="([^"]*)">[\d,]+ more<', reply.text)), ""]
        assert len(seen) == 700
        some = page.ask("/memories?scope=projects%2Fheron")
        assert len(re.findall(">Parcel number", some.text)) == 100
        assert "heron" not in page.ask("/memories?q=parcel&scope=projects%2Fotter").text.partition("<h1")[2]
        assert "and 680 more" in page.ask("/timeline").words
        for start in ("9" * 5_000, "99999", "-1", "x"):
            wrong = page.ask(f"/memories?start={start}")
            assert (wrong.status, "Parcel number" in wrong.words) == (200, True)


def test_a_memory_whose_code_changed_is_confirmed(home: Path) -> None:
    project = Project(Path.cwd(), {"cart.py": "def retry(n):\n    return n\n"})
    assert call("remember", "`retry` in cart.py never waits", "--type", "project").code == 0
    project.change({"cart.py": "def retry(n):\n    return n + 1\n"})
    with served() as page:
        waiting = page.ask("/")
        assert "changed: cart.py retry" in waiting.words
        (form,) = waiting.forms("/answer")
        done = page.ask("/answer", form | {"answer": "c"})
        assert "bound to cart.py retry" in done.words
        assert done.forms("/answer") == []
        assert page.ask("/undo", done.forms("/undo")[0]).forms("/answer") == [form]
        project.top.rename(project.top.with_name("elsewhere"))
        assert page.ask("/").forms("/answer") == []


def test_a_card_tells_what_was_said_around_the_quote(page: Served) -> None:
    found = page.ask("/memories?q=vitest").text
    (path,) = re.findall(r'href="(/memory\?[^"]*)">[^<]*Vitest', found)[:1]
    card = page.ask(unescape(path))
    assert "Related graph of heron" in card.words
    assert re.search(r"<dt>replaced</dt><dd><a [^>]*>We use Jest", card.text)
    assert re.search(r"What was said around it.*<mark>[^<]*Vitest", card.text, re.S)
    assert "History" in card.words


def test_a_card_without_the_archive_says_so(page: Served, demo: Path) -> None:
    path = "/memory?path=projects/heron/decision-no-longer-use-jest.md"
    (demo / "config.toml").write_text("archive_enabled = false\n", encoding="utf-8")
    assert "is switched off (`archive_enabled`)" in page.ask(path).words
    (demo / "config.toml").unlink()
    (demo / "state" / "sessions.sqlite3").unlink()
    assert "There is no session archive" in page.ask(path).words


def test_the_timeline_tells_what_happened_and_takes_a_run_back(page: Served) -> None:
    told, before = page.ask("/timeline"), held()
    assert re.search(r"<b class=\"what ?\">learned</b>", told.text)
    assert re.search(r"replaced</span> <a [^>]*>We use Jest", told.text)
    (form,) = told.forms("/undo")[:1]
    assert " undone: " in page.ask("/undo", form).words
    emptied, told = held(), page.ask("/timeline")
    assert "undone" in told.words
    assert " undone: " in page.ask("/undo", told.forms("/undo")[0]).words
    assert emptied != held() == before


def nodes(reply: Reply, column: str) -> dict[str, tuple[str, str]]:
    """The rows of a column of the graph: address and all words of each, by its label."""
    (rows,) = re.findall(rf'<ul class="{column}">(.*?)</ul>', reply.text, re.S)
    parts = re.findall(r'<li class="node.*?>(.*?)</li>', rows, re.S)
    links = [re.search(r'href="([^"]*)" title="([^"]*)"', one) for one in parts]
    words = [Reply(200, {}, one).words for one in parts]
    return {unescape(a[2]): (unescape(a[1]), said) for a, said in zip(links, words, strict=True) if a}


def linked(root: Path, scope: str, name: str, text: str, to: str = "") -> None:
    """A memory written by hand."""
    entry = Entry(scope, name, "project", text, f"{text}. [[{to}]]", "manual", "user-said", AT, AT)
    (root / scope).mkdir(parents=True, exist_ok=True)
    (root / scope / f"project-{name}.md").write_text(render(entry), encoding="utf-8")


def test_the_graph_leads_from_projects_by_topics_to_memories_and_what_ties_them(
    page: Served, demo: Path
) -> None:
    linked(
        demo / "store",
        "projects/heron",
        "carrier",
        "Shipping is by Falcon couriers",
        "use-pnpm-in-this-repository",
    )
    linked(demo / "store", "projects/otter", "couriers", "Falcon couriers fetch the parcels at noon")
    whole = page.ask("/graph")
    assert "10 memories" in nodes(whole, "things")["heron"][1]
    topic, said = nodes(whole, "topics")["falcon couriers"]
    assert "2 memories" in said
    assert "falcon couriers" in nodes(whole, "things")["heron"][1]
    assert nodes(whole, "topics").keys().isdisjoint({"otter", "every", "use", "never"})
    both = nodes(page.ask(topic), "things")
    assert set(both) == {"Shipping is by Falcon couriers", "Falcon couriers fetch the parcels at noon"}

    heron = page.ask(nodes(whole, "things")["heron"][0])
    ties = {
        "Shipping is by Falcon couriers": "links to use `pnpm` in this repository",
        "Free shipping starts at 40 EUR": "contradicts Free shipping starts at 50 EUR",
        "We use Jest for the unit tests, `pnpm test` starts them": "replaced by We no longer use Jest",
    }
    for label, tie in ties.items():
        address, words = nodes(heron, "things")[label]
        assert tie in words
        assert re.search(rf"<dt>{tie[:8]}.*?{tie[-8:]}", page.ask(address).text, re.S), tie
    for kind in ("link", "replaced", "contradiction"):
        assert re.search(rf'<path class="{kind}" d="M0 \d+C', heron.text)
    assert page.ask(HERON).text == heron.text
    assert "No memory is about that any longer" in page.ask("/graph?topic=nothing").words
    assert page.ask("/graph?scope=nowhere").status == 400


def test_a_graph_of_a_thousand_memories_is_told_by_topics(kept: Said, home: Path) -> None:
    about = [f"{kind} {what}" for kind in KINDS for what in WHAT]
    for n in range(1_000):
        linked(home / "store", "projects/larkspur", f"n-{n}", f"{about[n % len(about)]} number {n}")
    with served() as page:
        reply = page.ask("/graph?scope=projects%2Flarkspur")
        assert len(reply.text) < 150_000
        assert set(nodes(reply, "topics")) == {"falcon", "noon", "utrecht", "rail"}
        assert [label for label in nodes(reply, "things") if "more" in label] == ["245 more"]
        narrowed = page.ask(nodes(reply, "topics")["falcon"][0])
        assert set(nodes(narrowed, "topics")) == set(KINDS)
        assert all("Falcon" in label or "more" in label for label in nodes(narrowed, "things"))


def test_the_cost_is_told_by_day(page: Served, demo: Path) -> None:
    assert "Nothing spent" in page.ask("/cost").words
    with State.open(demo / "state", 1.0) as state:
        state.spend.add(datetime(2026, 9, 1, tzinfo=UTC), 12_345, 0.25)
    row = re.search(r"<tr>.*</tr>", page.ask("/cost").text)
    assert row is not None
    assert re.findall(r">([^<]+)<", row.group()) == ["2026-09-01", "0.2500 USD", "12,345 tokens"]


def test_without_the_extra_or_a_store_one_sentence_says_what_to_do(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "there is no store" in call("ui").err
    call("remember", "Deploys go out on Tuesdays only")
    for module in [name for name in sys.modules if name.startswith("siltstone.ui")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    said = call("ui")
    assert (said.code, said.out) == (2, "")
    assert said.err.strip() == (
        "silt: `silt ui` needs a web server; get it with pip install 'siltstone[ui]'."
    )
