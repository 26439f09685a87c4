"""For every test: variables set before litellm is imported, cassettes, no waiting for clocks and disks."""

import asyncio
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from support import cassettes

os.environ.update(cassettes.ENVIRONMENT)

from support.bench import NOON
from support.commands import moved_into

from siltstone.pipeline.model.litellm_model import LitellmModel
from siltstone.pipeline.model.retry import Policy
from siltstone.store import git_env
from siltstone.store.store import Store

# A suite that is started in the background of a script ignores SIGINT, and so would all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("suite", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


@pytest.fixture(scope="session", autouse=True)
def loop() -> Iterator[None]:
    """An event loop for litellm, which else makes one that nobody closes."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield
    made.close()


def pytest_recording_configure(config: pytest.Config, vcr: Any) -> None:
    vcr.register_matcher("llm_body", cassettes.match_llm_body)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and item.get_closest_marker("vcr"):
        report.sections.append(("cassette", cassettes.AGAIN))
    return report


@pytest.fixture(autouse=True, scope="session")
def nobody_pulls_the_plug() -> Iterator[None]:
    """What is written need not reach the disk itself: tests kill processes and no machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda handle: None)
        patch.setitem(git_env._SETTINGS, "core.fsync", "none")
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home; the store, the state and the config stand in it."""
    return moved_into(tmp_path, monkeypatch)


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which nothing was kept yet, to be copied: making one asks git eight times."""
    return Store.open(tmp_path_factory.mktemp("blank") / "store", clock=lambda: NOON).root


@pytest.fixture(scope="session")
def vcr_config() -> dict[str, Any]:
    return cassettes.config()


@pytest.fixture(scope="module")
def vcr_cassette_dir(request: pytest.FixtureRequest) -> str:
    return str(cassettes.path_for(Path(str(request.path))))


@pytest.fixture
def recorded_model() -> Iterator[LitellmModel]:
    """The model of a cassette test. Recording asks SILT_RECORD_MODEL at SILT_RECORD_BASE.

    Nothing is retried: a call that no cassette holds would look like a service that is away.
    """
    name, base = cassettes.endpoint()
    key = os.environ.get("OPENAI_API_KEY", "none")
    with cassettes.fresh_clients():
        yield LitellmModel(name, base, key, cassettes.PATIENCE, Policy(attempts=1))
