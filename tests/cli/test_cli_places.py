"""Two processes, two projects of one name: each gets a folder of its own."""

from pathlib import Path

import pytest
from support.commands import call

from siltstone.cli.context import Context
from siltstone.cli.parts import parts
from siltstone.pipeline.manual import remember
from siltstone.store.errors import Stale


def test_projects_of_one_name_met_at_the_same_time_stay_apart(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = home / "person" / "work" / "larkspur"
    other.mkdir(parents=True)
    with Context(makes=True) as context:
        scope = context.scopes.of(str(other))
        assert call("remember", "Deploys go out on Tuesdays only", "--type", "project").code == 0
        with pytest.raises(Stale, match="now belongs to another project"):
            remember("The API listens on port 8480", "project", scope, parts(context))
    assert [one["scope"] for one in call("list", "--json").json] == ["projects/larkspur"]
    monkeypatch.chdir(other)
    assert call("remember", "The API listens on port 8480", "--type", "project").code == 0
    scopes_now = {one["scope"] for one in call("list", "--json").json}
    assert len(scopes_now) == 2
    texts = [(home / "store" / one / "project.yaml").read_text(encoding="utf-8") for one in scopes_now]
    assert sorted("/work/" in text for text in texts) == [False, True]
    assert sorted("/src/" in text for text in texts) == [False, True]
