"""What an installed Siltstone holds is what stands in the code folders (docs/architecture.md)."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

from siltstone import __version__

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("agents", "cli", "pipeline", "prompts", "recall", "store", "ui")
LINKS = "A package's page leads to this repository"
"""The step of the release that makes the README's links absolute."""
FORMS = [
    "*.py",
    "*.j2",
    "*.js",
    "*.svg",
    "*.json",
    "*.toml",
    "*.txt",
    "*.sql",
    "*.service",
    "*.timer",
    "*.html",
    "*.css",
]


def expected() -> set[str]:
    """Package files by their installed names, read from the folders at the top."""
    files = {
        f"siltstone/{path.relative_to(ROOT).as_posix()}"
        for room in ROOMS
        for pattern in FORMS
        for path in (ROOT / room).rglob(pattern)
    }
    return files | {"siltstone/__init__.py", "siltstone/__main__.py", "siltstone/py.typed"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An sdist, and the wheel built from that sdist, as a release of a repository `acme/silt` has them."""
    where = tmp_path_factory.mktemp("build")
    source = where / "source"
    ignored = shutil.ignore_patterns(
        ".git", ".venv", ".site", "tests", "cassettes", "__pycache__", "*.egg-info", ".*cache"
    )
    shutil.copytree(ROOT, source, symlinks=True, ignore=ignored)
    steps = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]["build"]["steps"]
    (links,) = [step["run"] for step in steps if step.get("name") == LINKS]
    env = {**os.environ, "GITHUB_REPOSITORY": "acme/silt", "GITHUB_SHA": "c0ffee"}
    subprocess.run(["/bin/sh", "-ec", links], cwd=source, env=env, check=True)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(where / "dist"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return where / "dist"


def test_the_wheel_holds_the_code_folders_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == expected()


def test_a_packages_page_leads_to_the_repository_it_is_released_from(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        page = archive.read(name).decode("utf-8")
    repository = "https://github.com/acme/silt"
    assert f"Project-URL: Repository, {repository}\n" in page
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert f"{repository}/blob/c0ffee/docs/demo.svg?raw=true" in links
    assert [link for link in links if not link.startswith("https://")] == []


def test_the_sdist_holds_real_files_not_links(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        members = {m.name.split("/", 1)[1]: m for m in archive.getmembers() if "/" in m.name and m.isfile()}
    assert expected() <= set(members)


def test_the_wheel_is_small(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.stat().st_size <= 1_000_000


def test_what_is_installed_from_the_wheel_works_under_both_names(built: Path, tmp_path: Path) -> None:
    """In a new environment, whose dependencies are those of this one."""
    (wheel,) = built.glob("*.whl")
    new = tmp_path / "venv"
    venv.create(new)
    python = str(new / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True)
    (packages,) = new.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")

    def call(*words: str) -> str:
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        command = [str(new / "bin" / words[0]), *words[1:]]
        return subprocess.check_output(command, cwd=tmp_path, env=env, text=True, stderr=subprocess.STDOUT)

    assert call("silt", "--version") == call("siltstone", "--version") == f"silt {__version__}\n"
    call("siltstone", "remember", "Deploys go out on Tuesdays only")
    assert "Deploys go out on Tuesdays only" in call("silt", "list")
