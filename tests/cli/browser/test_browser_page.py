"""The page of `silt ui` in a real browser, by its keys: `make test-ui`.

With SHOTS=write the pictures of docs/ui.md are made anew.
"""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from support.commands import call
from support.endpoint import LOOPBACK
from support.page import Served, served_by_silt

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)

DOCS = Path(__file__).resolve().parents[3] / "docs"
HERON = "/graph?scope=projects/heron"
PAGES = ("/", "/memories", "/memories?q=shipping", "/graph", HERON, "/timeline", "/cost")
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
MANY = 50


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium; else the one that Playwright downloaded."""
    program = next(filter(None, map(which, PROGRAMS)), None)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def ui(demo: Path) -> Iterator[Served]:
    with served_by_silt() as page:
        yield page


@contextmanager
def opened(browser: Browser, ui: Served, **how: Any) -> Iterator[Page]:
    """A browser of its own that has opened the printed address. No script may fail, and no dialog open."""
    with browser.new_context(**how) as context:
        page = context.new_page()
        wrong = list[str]()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.goto(ui.address)
        assert page.url == f"{ui.origin}/"
        yield page
        assert wrong == []


def waiting(page: Page) -> int:
    return len(page.locator("article.item").all())


def pressed(page: Page, key: str, left: int) -> None:
    """Press a key, and wait until so much waits."""
    page.keyboard.press(key)
    expect(page.locator("article.item")).to_have_count(left)
    expect(page.locator("[aria-busy]")).to_have_count(0)


def shot(page: Page, name: str) -> None:
    if os.environ.get("SHOTS") == "write":
        page.screenshot(path=DOCS / f"ui-{name}.png")


def held() -> list[str]:
    return sorted(one["body"] for one in call("list", "--json").json)


def test_fifty_items_are_settled_by_keys_and_each_is_taken_back(demo: Path, browser: Browser) -> None:
    for n in range(MANY - 3):
        call(
            "write",
            f"claim-{n}",
            f"Queue number {n} keeps its messages for {n + 2} days",
            "--session",
            "claude/s1",
        )
    before = held()
    with served_by_silt() as ui, opened(browser, ui) as page:
        assert waiting(page) == MANY
        keys = ["1", *("ar"[n % 2] for n in range(MANY - 1))]
        for n, key in enumerate(keys):
            pressed(page, key, MANY - 1 - n)
        expect(page.get_by_role("heading", name="Nothing is waiting for you")).to_be_visible()
        assert len(held()) == len(before) + 24
        for n in range(MANY):
            pressed(page, "u", n + 1)
        assert held() == before
        expect(page.locator("#undo")).to_have_count(0)


def test_keys_move_open_search_and_help(ui: Served, browser: Browser) -> None:
    with opened(browser, ui) as page:
        here = page.locator("article.here")
        for key, words in (("j", "uploads first"), ("ArrowDown", "config.toml"), ("k", "uploads first")):
            page.keyboard.press(key)
            expect(here).to_contain_text(words)
        pressed(page, "r", 2)
        expect(here).to_contain_text("config.toml")
        page.keyboard.press("?")
        expect(page.locator("#help")).to_be_visible()
        pressed(page, "r", 2)
        page.keyboard.press("Escape")
        page.goto(f"{ui.origin}/memories")
        page.keyboard.press("/")
        page.keyboard.type("rabbit vitest")
        page.keyboard.press("Enter")
        expect(page.locator("article.row").first).to_contain_text("Vitest")
        page.locator("article.row a").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("dl.talk mark").first).to_contain_text("Vitest")


def test_the_graph_is_walked_by_keys_and_shows_what_a_row_is_joined_to(ui: Served, browser: Browser) -> None:
    with opened(browser, ui) as page:
        page.get_by_role("link", name="Graph", exact=True).press("Enter")
        heron = page.get_by_role("link", name="heron", exact=True)
        heron.press("Enter")
        expect(page.get_by_role("heading", name="heron")).to_be_visible()
        topic = page.locator(".topics .node").filter(has_text="checkout")
        expect(topic.locator("path").first).not_to_be_visible()
        while not topic.get_by_role("link").evaluate("one => one === document.activeElement"):
            page.keyboard.press("j")
        lit = [path.evaluate("one => getComputedStyle(one).stroke") for path in topic.locator("path").all()]
        others = page.locator(".things .lines path").last
        assert len(lit) == 2
        assert {others.evaluate("one => getComputedStyle(one).stroke")}.isdisjoint(lit)
        labels = page.locator(".things a").filter(has_text="Free shipping starts at")
        drawn = [page.locator(".things path.contradiction").first, *labels.all()]
        arc, *sides = [box["y"] for one in drawn if (box := one.bounding_box())]
        assert min(sides) < arc < max(sides)
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_contain_text("heron › checkout 2")
        page.locator(".things").get_by_role("link").first.press("Enter")
        expect(page.get_by_role("link", name="graph of heron")).to_be_visible()


def test_a_conflict_that_was_settled_elsewhere_says_so(ui: Served, browser: Browser) -> None:
    with opened(browser, ui) as page, opened(browser, ui) as other:
        pressed(other, "2", 2)
        left = held()
        page.keyboard.press("1")
        expect(page.locator("#said")).to_contain_text("settled elsewhere in the meantime: nothing was done")
        expect(page.locator("article.item")).to_have_count(2)
        assert held() == left
        page.keyboard.press("u")
        expect(page.locator("article.item")).to_have_count(3)


def test_what_goes_wrong_meanwhile_is_told_and_nothing_is_lost(demo: Path, browser: Browser) -> None:
    before = held()
    with ExitStack() as running, opened(browser, running.enter_context(served_by_silt())) as page:
        said = page.get_by_role("status")
        with open(demo / "store" / ".git" / "silt-lock", "a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            page.keyboard.press("1")
            expect(said).to_contain_text("try again later", timeout=20_000)
        assert (waiting(page), held()) == (3, before)
        (item,) = (demo / "store" / "inbox").glob("*uploads*")
        item.write_bytes(b"\xff")
        page.keyboard.press("j")
        pressed(page, "r", 2)
        expect(said).to_contain_text("settled elsewhere")
        expect(page.locator(".note")).to_contain_text(f"{item.name}, line 1: is not UTF-8")
        page.context.clear_cookies()
        page.keyboard.press("r")
        expect(said).to_contain_text("open the address that silt ui printed last")
        running.close()
        page.keyboard.press("r")
        expect(said).to_contain_text("silt ui does not answer")


HOSTILE = '<img src=x onerror="alert(1)"></p></article><script>alert(2)</script>\u202ereversed\u200b'


def test_a_memory_made_of_html_is_text(ui: Served, browser: Browser, demo: Path) -> None:
    call("write", "hostile", "Words to be replaced", "--session", "claude/s1")
    (path,) = (demo / "store" / "inbox").glob("*hostile*")
    head, _, _ = path.read_text("utf-8").rpartition("Words to be replaced")
    path.write_text(f"{head}{HOSTILE}\n", encoding="utf-8")
    with opened(browser, ui) as page:
        item = page.locator("article.item").filter(has_text="onerror")
        expect(item.locator("p.body")).to_contain_text('<img src=x onerror="alert(1)"></p></article><script>')
        expect(item.locator(".hidden").first).to_have_text("U+202E right-to-left override")
        assert item.locator("img, script").count() == 0
        item.get_by_role("link").click()
        expect(page.locator("p.body").first).to_contain_text("<script>alert(2)</script>")


ATTACK = """<!doctype html><title>attack</title>
<form id=f method=post action="{origin}/answer">{inputs}<button name=answer value=1>Go</button></form>
<iframe src="{origin}/"></iframe><img src="{origin}/memories"><script src="{origin}/page.js"></script>
<script>
  document.title = "started";
  const form = new URLSearchParams(new FormData(document.getElementById("f")));
  form.set("answer", "1");
  const how = {{method: "POST", mode: "no-cors", credentials: "include", body: form}};
  fetch("{origin}/answer", how).catch(() => 0)
    .then(() => fetch("{origin}/", {{credentials: "include"}}).then((r) => r.text()))
    .then((text) => {{ document.title = "read " + text; }}, () => {{ document.title = "refused"; }});
</script>"""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_of_another_origin_neither_reads_nor_answers(
    ui: Served, browser: Browser, demo: Path, host: str
) -> None:
    """Another port of this machine is the same site, so that the browser sends our cookie there too."""
    with opened(browser, ui) as page:
        fields = [page.locator(f"article.item input[name={name}]").first for name in ("kind", "id", "seen")]
        inputs = "".join(one.evaluate("one => one.outerHTML") for one in fields)
        text = ATTACK.format(origin=ui.origin, inputs=inputs)

        class Attacker(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:
                pass

        before = call("log", "--json").json
        with ThreadingHTTPServer(("127.0.0.1", 0), Attacker) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            evil = page.context.new_page()
            evil.goto(f"http://{host}:{server.server_port}/")
            expect(evil).to_have_title("refused")
            for frame in evil.frames[1:]:
                assert "shipping" not in frame.content()
            evil.get_by_role("button").click()
            expect(evil.locator("body")).to_contain_text("refused: another page sent it")
            server.shutdown()
        assert call("log", "--json").json == before
        page.reload()
        assert waiting(page) == 3


FAINT = """() => {
  const light = (colour) => colour.match(/[0-9.]+/g).slice(0, 3)
    .map((one) => one / 255).map((one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
    .reduce((sum, one, n) => sum + one * [.2126, .7152, .0722][n], 0);
  const back = (one) => {
    const colour = one ? getComputedStyle(one).backgroundColor : "rgb(255, 255, 255)";
    return one && colour.endsWith(", 0)") ? back(one.parentElement) : colour;
  };
  return [...document.querySelectorAll("body *:not(option)")]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((one) => {
      const [dark, bright] = [light(getComputedStyle(one).color), light(back(one))].sort((a, b) => a - b);
      return (bright + .05) / (dark + .05) < 4.5;
    }).map((one) => one.outerHTML);
}"""
"""The texts of a page that stand out from their background less than WCAG AA asks for."""


def test_every_page_fits_a_phone_and_is_dark_where_the_system_is(ui: Served, browser: Browser) -> None:
    for scheme, dark in (("light", False), ("dark", True)):
        how = {"viewport": {"width": 360, "height": 740}, "color_scheme": scheme}
        with opened(browser, ui, **how) as page:
            for path in PAGES:
                page.goto(f"{ui.origin}{path}")
                assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
                assert page.evaluate(FAINT) == [], path
                back = page.evaluate("getComputedStyle(document.body).backgroundColor")
                level = sum(int(one) for one in back[4:-1].split(","))
                assert (level < 128) == dark, path
            page.goto(f"{ui.origin}/")
            if dark:
                shot(page, "phone")


def test_every_page_can_be_looked_at(ui: Served, browser: Browser) -> None:
    with opened(browser, ui, viewport={"width": 960, "height": 640}) as page:
        shot(page, "waiting")
        for name in ("timeline", "memories"):
            page.goto(f"{ui.origin}/{name}")
            expect(page.locator("article").nth(2)).to_be_visible()
        page.goto(f"{ui.origin}{HERON}")
        page.set_viewport_size({"width": 960, "height": 490})  # what fits a picture
        shot(page, "graph")
        page.set_viewport_size({"width": 960, "height": 640})
        page.goto(f"{ui.origin}/memories?q=vitest")
        page.locator("article.row a").first.click()
        expect(page.locator("dl.talk")).not_to_have_count(0)
        shot(page, "memory")
