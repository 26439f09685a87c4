"""Which project a session belongs to."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.store.entry import GLOBAL
from siltstone.store.identity import KINDS, Identity, is_writable
from siltstone.store.projects import HEADER, Project, Projects, read_identities, with_identities

REMOTE = "git@example.com:acme/larkspur.git"
MARK = Identity("remote", "example.com/acme/larkspur")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    root.mkdir()
    return root


def repository(at: Path, remote: str | None = REMOTE) -> Path:
    """A git folder with just what is read of one."""
    (at / ".git").mkdir(parents=True)
    (at / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (at / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n' if remote else "")
    return at


def commit(root: Path, project: Project) -> Project:
    """Do what a run does with the change."""
    assert project.change is not None
    path = root / project.change.path
    if path.exists():
        assert project.change.expected == hashlib.sha256(path.read_bytes()).hexdigest()
    else:
        assert project.change.expected is None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(project.change.text)
    return project


def test_a_new_repository_becomes_a_project_of_its_name(root: Path, home: Path) -> None:
    top = repository(home / "code" / "Larkspur")
    project = Projects(root, home).resolve(str(top))
    assert (project.scope, project.slug, project.new) == ("projects/larkspur", "larkspur", True)
    assert project.identities == (MARK, Identity("git", f"{top}/.git"), Identity("path", str(top)))
    assert project.change is not None
    assert project.change.path == "projects/larkspur/project.yaml"
    assert project.change.text == (
        HEADER + f'  - remote: "example.com/acme/larkspur"\n  - git: "{top}/.git"\n  - path: "{top}"\n'
    )


def test_a_known_project_is_found_again_and_nothing_is_written(root: Path, home: Path) -> None:
    top = repository(home / "larkspur")
    commit(root, Projects(root, home).resolve(str(top)))
    (top / "src").mkdir()
    for cwd in (top, top / "src"):
        project = Projects(root, home).resolve(str(cwd))
        assert (project.scope, project.new, project.change) == ("projects/larkspur", False, None)


def test_a_clone_of_the_same_remote_is_the_same_project(root: Path, home: Path) -> None:
    commit(root, Projects(root, home).resolve(str(repository(home / "larkspur"))))
    clone = repository(home / "elsewhere" / "copy", f"https://me:{'x' * 9}@example.com/acme/larkspur")
    project = commit(root, Projects(root, home).resolve(str(clone)))
    assert (project.scope, project.new) == ("projects/larkspur", False)
    assert Identity("path", str(clone)) in read_identities(
        (root / "projects/larkspur/project.yaml").read_text()
    )
    assert "xxx" not in (root / "projects/larkspur/project.yaml").read_text()


def test_a_clone_of_a_local_repository_is_the_same_project(root: Path, home: Path) -> None:
    projects = Projects(root, home)
    first = projects.resolve(str(repository(home / "larkspur", None)))
    clone = projects.resolve(str(repository(home / "copy", "../larkspur")))
    assert clone.scope == first.scope == "projects/larkspur"


def test_a_linked_work_tree_is_the_same_project(root: Path, home: Path) -> None:
    top = repository(home / "larkspur", None)
    tree = home / "fix-42"
    (top / ".git" / "worktrees" / "fix-42").mkdir(parents=True)
    (top / ".git" / "worktrees" / "fix-42" / "commondir").write_text("../..\n")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {top}/.git/worktrees/fix-42\n")
    project = Projects(root, home).resolve(str(tree))
    assert project.slug == "larkspur"
    assert Projects(root, home).resolve(str(top)).slug == "larkspur"


@pytest.mark.parametrize("remotes", [[], [REMOTE]])
def test_home_and_root_are_global(root: Path, home: Path, remotes: list[str]) -> None:
    repository(home)
    projects = Projects(root, home)
    for cwd in (str(home), f"{home}/", "/", f"{home}/x/.."):
        assert projects.resolve(cwd, remotes) == Project(GLOBAL)


@pytest.mark.parametrize("cwd", ["", "larkspur", "C:\\code", "\0", "/a\0b", "~"])
def test_a_session_without_a_place_is_global(root: Path, home: Path, cwd: str) -> None:
    assert Projects(root, home).resolve(cwd) == Project(GLOBAL)


def test_a_session_without_a_place_goes_by_its_remote(root: Path, home: Path) -> None:
    project = Projects(root, home).resolve("", [REMOTE])
    assert (project.scope, project.identities) == ("projects/larkspur", (MARK,))


@table("store", "a_folder_of_any_name_is_a_project_of_its_own")
@pytest.mark.parametrize("kind", ["repository", "folder", "gone"])
def test_a_folder_of_any_name_is_a_project_of_its_own(
    root: Path, home: Path, name: str, slug: str, written: str, kind: str
) -> None:
    at = home / name
    if kind == "repository":
        repository(at, None)
    elif kind == "folder":
        at.mkdir()
    project = commit(root, Projects(root, home).resolve(str(at)))
    assert (project.slug.removesuffix(project.slug[5:]) if slug == "note-" else project.slug) == slug
    assert Identity("path", f"file://{home}/{written}") in project.identities
    again = Projects(root, home).resolve(str(at))
    assert (again.scope, again.new, again.change) == (project.scope, False, None)
    (home / written).mkdir()  # a folder that is named as the other is written
    assert Projects(root, home).resolve(str(home / written)).scope != project.scope


def test_a_folder_with_a_long_path_is_a_project_of_its_own(root: Path, home: Path) -> None:
    deep = [f"{home}/" + "/".join([letter * 200] * 6) for letter in "ab"]
    found = [commit(root, Projects(root, home).resolve(one)) for one in deep]
    assert len({one.scope for one in found} - {GLOBAL}) == 2
    assert [Projects(root, home).resolve(one).scope for one in deep] == [one.scope for one in found]


def test_a_plain_folder_is_a_project_and_its_folders_are_others(root: Path, home: Path) -> None:
    (home / "notes" / "2026").mkdir(parents=True)
    projects = Projects(root, home)
    assert projects.resolve(str(home / "notes")).scope == "projects/notes"
    assert projects.resolve(str(home / "notes" / "2026")).scope == "projects/2026"


def test_a_home_under_git_makes_no_project_of_everything(root: Path, home: Path) -> None:
    repository(home)
    (home / "notes").mkdir()
    assert Projects(root, home).resolve(str(home / "notes")).identities == (
        Identity("path", str(home / "notes")),
    )


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("inside", [".worktrees/42", ".claude/worktrees/ada/fix/src"])
def test_a_work_tree_that_is_gone_goes_by_its_repository(
    root: Path, home: Path, inside: str, there: bool
) -> None:
    top = repository(home / "larkspur") if there else home / "larkspur"
    projects = Projects(root, home)
    gone = projects.resolve(str(top / inside))
    assert gone.scope == projects.resolve(str(top)).scope == "projects/larkspur"
    assert projects.resolve(str(home / inside)).slug not in ("", "larkspur")


def test_a_folder_that_is_gone_goes_by_the_transcripts_remote(root: Path, home: Path) -> None:
    projects = Projects(root, home)
    first = projects.resolve(str(repository(home / "larkspur")))
    gone = projects.resolve(str(home / "old" / "checkout"), ["https://example.com/acme/larkspur"])
    assert gone.scope == first.scope
    assert gone.identities == first.identities


def test_a_folder_that_is_gone_goes_by_the_longest_known_path(root: Path, home: Path) -> None:
    projects = Projects(root, home)
    (home / "a" / "b").mkdir(parents=True)
    projects.resolve(str(home / "a"))
    inner = projects.resolve(str(home / "a" / "b"))
    (home / "a" / "b").rmdir()
    assert projects.resolve(str(home / "a" / "b" / "c" / "d")).scope == inner.scope == "projects/b"
    assert projects.resolve(str(home / "a" / "x")).scope == "projects/a"
    assert projects.resolve(str(home / "unknown" / "thing")).scope == "projects/thing"


def test_a_folder_that_holds_another_repository_by_now_is_not_believed(root: Path, home: Path) -> None:
    projects = Projects(root, home)
    top = repository(home / "reused", "https://example.com/acme/other")
    old = projects.resolve(str(top), [REMOTE])
    assert (old.scope, old.identities) == ("projects/larkspur", (MARK,))
    assert projects.resolve(str(top)).scope == "projects/reused"


def test_a_repository_whose_remote_moved_stays_the_project(root: Path, home: Path) -> None:
    top = repository(home / "larkspur")
    commit(root, Projects(root, home).resolve(str(top)))
    (top / ".git" / "config").write_text('[remote "origin"]\nurl = https://example.com/new/name\n')
    project = commit(root, Projects(root, home).resolve(str(top)))
    assert project.scope == "projects/larkspur"
    assert Identity("remote", "example.com/new/name") in project.identities


def test_the_same_name_gets_four_hex_digits(root: Path, home: Path) -> None:
    projects = Projects(root, home)
    first, second = (projects.resolve(str(repository(home / n / "api", f"https://h/{n}/api"))) for n in "ab")
    assert first.slug == "api"
    digest = hashlib.sha256(b"remote h/b/api").hexdigest()
    assert second.slug == f"api-{digest[:4]}"
    assert projects.resolve(str(home / "b" / "api")).slug == second.slug


def test_a_folder_made_by_hand_is_taken_over(root: Path, home: Path) -> None:
    (root / "projects" / "larkspur").mkdir(parents=True)
    (root / "projects" / "larkspur" / "project-x.md").write_text("x")
    project = Projects(root, home).resolve(str(repository(home / "larkspur")))
    assert (project.scope, project.new) == ("projects/larkspur", True)


def test_a_symbolic_link_leads_to_the_same_project(root: Path, home: Path) -> None:
    top = repository(home / "larkspur", None)
    (home / "link").symlink_to(top)
    projects = Projects(root, home)
    assert projects.resolve(str(home / "link")).slug == projects.resolve(str(top)).slug == "larkspur"


def test_what_was_resolved_is_remembered_until_it_is_committed(root: Path, home: Path) -> None:
    projects = Projects(root, home)
    top = repository(home / "larkspur")
    first, again = projects.resolve(str(top)), projects.resolve(str(top))
    assert (first.new, again.new) == (True, False)
    assert again.change == first.change


def test_a_change_is_asked_for_again_under_the_lock(root: Path, home: Path) -> None:
    projects = Projects(root, home)
    project = projects.resolve(str(repository(home / "larkspur")))
    other = Projects(root, home)
    commit(root, other.resolve(str(repository(home / "clone" / "larkspur"))))
    change = projects.change(project)
    assert change is not None
    assert len(read_identities(change.text)) == 5
    commit(root, Project(project.scope, project.slug, project.identities, change=change))
    assert projects.change(project) is None


@pytest.mark.parametrize("folder_there", [True, False])
def test_a_folder_given_away_since_the_projects_were_read_is_not_free(
    root: Path, home: Path, folder_there: bool
) -> None:
    if folder_there:
        (root / "projects" / "api").mkdir(parents=True)
        (root / "projects" / "api" / "project-x.md").write_text("x")
    early = Projects(root, home)
    commit(root, Projects(root, home).resolve(str(repository(home / "b" / "api", "https://h/b/api"))))
    late = early.resolve(str(repository(home / "a" / "api", "https://h/a/api")))
    assert late.slug.startswith("api-")
    same = early.resolve(str(home / "b" / "api"))
    assert (same.slug, same.change) == ("api", None)


def test_known_lists_scopes_with_their_identities(root: Path, home: Path) -> None:
    project = commit(root, Projects(root, home).resolve(str(repository(home / "larkspur"))))
    assert Projects(root, home).known() == {"projects/larkspur": project.identities}


@table("store", "identities_are_read_line_by_line")
def test_identities_are_read_line_by_line(text: str, values: list[str]) -> None:
    assert [one.value for one in read_identities(text)] == values


@table("store", "identities_are_added_where_they_belong")
def test_identities_are_added_where_they_belong(text: str, expected: str) -> None:
    assert with_identities(text, [Identity("path", "/b")]) == expected


@settings(max_examples=100)
@given(
    text=st.none() | st.text("- git:/a\n#"),
    values=st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(is_writable), max_size=3
    ),
    kind=st.sampled_from(KINDS),
)
def test_what_is_added_is_read_back(text: str | None, values: list[str], kind: str) -> None:
    added = [Identity(k, value) for value in values for k in KINDS if k == kind]
    found = read_identities(with_identities(text, added))
    assert set(added) <= set(found)
    assert set(read_identities(text or "")) <= set(found)
