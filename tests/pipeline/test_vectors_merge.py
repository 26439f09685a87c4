"""Sets of facts told one after another, and how many stand in the end (docs/seeds.md A13–A16, A18)."""

from hashlib import sha256

import pytest
from merge_support import NOW, SCOPE, applied, judged

from siltstone.pipeline.merging.merge import View, merge
from siltstone.store.entry import Source, Stored, Type
from siltstone.store.frontmatter import parse

Told = tuple[Type, str]


def standing(told: tuple[Told, ...], sources: tuple[Source, ...] = ()) -> list[Stored]:
    """The store after each fact was merged on a day of its own."""
    stored: tuple[Stored, ...] = ()
    for day, (type_, body) in enumerate(told):
        source: Source = sources[day] if sources else "extraction"
        merged = merge([judged(body, type=type_, day=day, source=source)], View(SCOPE, NOW, stored))
        files = applied(stored, merged.changes)
        stored = tuple(
            Stored(path, text, sha256(text.encode()).hexdigest(), parse(path, text))
            for path, text in sorted(files.items())
        )
    return list(stored)


ONE: dict[str, tuple[Told, ...]] = {
    "form": (
        ("decision", "Load plugins from the npm cache"),
        ("decision", "LOAD PLUGINS from the npm cache!!"),
        ("decision", "load plugins from the npm-cache."),
    ),
    "many-times": (("decision", "Load plugins from the npm cache"),) * 30,
    "full-width": (("feedback", "用 pnpm 安装依赖"), ("feedback", "用 ｐｎｐｍ 安装依赖。")),
    "path": (
        ("reference", "Settings file: `conf/quarry.toml`"),
        ("reference", "Settings file path is conf/quarry.toml."),
        ("reference", "Settings: ./conf/quarry.toml"),
    ),
    "home-path": (
        ("reference", "Storage folder: ~/.local/share/quarry"),
        ("reference", "Storage lives in `~/.local/share/quarry/`"),
    ),
    "url": (
        ("reference", "Dashboard: https://g.example/d/1#now"),
        ("reference", "The dashboard is at https://G.example/d/1/"),
    ),
    "project-path": (
        ("project", "Entry point is src/index.ts"),
        ("project", "Entry point: `src/index.ts`"),
    ),
}


@pytest.mark.parametrize("told", ONE.values(), ids=ONE)
def test_said_again_it_is_one(told: tuple[Told, ...]) -> None:
    assert len(standing(told)) == 1


APART: dict[str, tuple[Told, ...]] = {
    "rules-alike": (
        ("decision", "Plugins register through the config's plugin array"),
        ("decision", "The config key stays singular: plugin, not plugins"),
    ),
    "feedback-alike": (
        ("feedback", "Avoid purple headings by using plain labels"),
        ("feedback", "Avoid purple headings by using a shorter template"),
    ),
    "languages": (
        ("project", "This repo uses the quarry plugin system"),
        ("project", "此 repo 使用 quarry 插件系统"),
    ),
    "query": (
        ("reference", "Docs: https://a.example/x?version=1"),
        ("reference", "Docs: https://a.example/x?version=2"),
    ),
    "paths": (
        ("reference", "Tool settings: .quarry/quarry.json"),
        ("reference", "Build settings: vite.config.ts at the root"),
    ),
    "one-file-two-facts": (
        ("reference", "Settings in src/a.ts: retries 3"),
        ("reference", "Settings in src/a.ts: timeout 40"),
    ),
}


@pytest.mark.parametrize("told", APART.values(), ids=APART)
def test_what_differs_stays_apart(told: tuple[Told, ...]) -> None:
    assert len(standing(told)) == len(told)


@pytest.mark.parametrize(
    "sources", [("explicit", "extraction"), ("extraction", "explicit")], ids=["saved-first", "saved-later"]
)
def test_the_saved_one_survives(sources: tuple[Source, Source]) -> None:
    [kept] = standing((("decision", "Use pnpm in here"),) * 2, sources)
    assert kept.entry.source == "explicit"
