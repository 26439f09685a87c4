"""What fits a question, and how well."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.recalled import BOTH, LARKSPUR, NOTHING, memory, prepare
from support.snapshots import snapshot_of
from support.table import lines, table

from siltstone.recall.prepared import Hit, Prepared
from siltstone.recall.prepared_writer import Differ
from siltstone.recall.relevance import ENDS, relevant
from siltstone.recall.selection import CAPS
from siltstone.recall.settings import RecallSettings
from siltstone.store.entry import GLOBAL, Stored
from siltstone.store.errors import StateError
from siltstone.store.search import FILE, Search, SearchReader

STORED = [
    memory("Deploys go out on Tuesdays only", name="deploys", days=3),
    memory("Postgres listens on port 5433, not 5432", "reference", name="postgres", days=400),
    memory("Use pnpm, never npm", "feedback", name="pnpm", body="CI refuses the lockfile of npm."),
    memory("getUserProfile lives in auth_service.py", "reference", name="profile", days=9),
    memory("每周二部署到生产环境", "decision", name="zh"),
    memory("本番環境は毎週火曜日に更新する", "decision", name="ja"),
    memory("데이터베이스 백업은 매일 밤", "project", name="ko"),
    memory("Answers in British English", "user", scope=GLOBAL, name="english"),
    memory("Migrations are checked by Marit", name="migrations"),
    memory("Always hot", name="hot", hot=True, body="Kubernetes everywhere"),
    memory("Kubernetes is for somebody else", scope="projects/heron", name="other"),
]


def ask(
    folder: Path, question: str, *, threshold: float = 0.45, most: int = 10, seen: Sequence[str] = ()
) -> list[Hit]:
    with Prepared(str(folder)) as prepared, SearchReader(str(folder)) as seeker:
        view = prepared.view(BOTH, CAPS)
        rules = RecallSettings(similarity_threshold=threshold, max_memories=most)
        return relevant(question, seeker, prepared.fragments, view, rules, seen)


def fill(folder: Path, stored: list[Stored], differ: Differ = NOTHING[1]) -> Path:
    prepare(folder, stored, differ=differ)
    with Search(folder / FILE) as search:
        search.sync(snapshot_of(stored))
    return folder


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("state"), STORED)


@table("relevance", "found")
def test_a_question_finds_its_memory(filled: Path, question: str, found: str) -> None:
    assert [hit.fragment.name for hit in ask(filled, question)][0:1] == [found]


@table("relevance", "nothing")
def test_common_or_strange_words_find_nothing(filled: Path, question: str) -> None:
    assert ask(filled, question, threshold=0.01) == []


def test_a_long_question_finds_what_it_names_at_its_ends(filled: Path) -> None:
    log = " ".join(f"module{n} compiled artefact{n} quickly{n}" for n in range(600))
    assert len(log) > 20_000
    for request, name in (("本番環境の更新は火曜日", "ja"), ("Has postgres port 5433?", "postgres")):
        for prompt in (f"{request} {log}", f"{log} {request}"):
            assert [hit.fragment.name for hit in ask(filled, prompt)] == [name]
    assert ask(filled, log) == []
    assert ask(filled, f"{'a ' * ENDS} postgres {'b ' * ENDS}") == []


def test_age_gates_nothing_and_breaks_ties(tmp_path: Path) -> None:
    same = [memory("Rollout by hand", name=f"n{days}", days=days) for days in (4000, 0, 30)]
    fill(tmp_path, [*same, *(memory(f"Other {n}", name=f"o{n}") for n in range(20))])
    found = ask(tmp_path, "rollout")
    assert [(hit.fragment.name, hit.percent) for hit in found] == [("n0", 100), ("n30", 100), ("n4000", 100)]


def test_the_scored_questions(tmp_path: Path) -> None:
    """tests/data/recall: most questions find their memory first, few other prompts find anything."""
    stored = [
        memory(row["line"], row["type"], name=row["name"], body=f"{row['line']}. {row['body']}", days=3 * n)
        for n, row in enumerate(lines("recall/memories"))
    ]
    fill(tmp_path, stored)
    asked = {row["question"]: row["found"] for row in lines("recall/questions")}
    found = {question: [hit.fragment.name for hit in ask(tmp_path, question)] for question in asked}
    named = [question for question in asked if asked[question]]
    missed = [question for question in named if found[question][:1] != [asked[question]]]
    noise = [question for question in asked if not asked[question] and found[question]]
    beside = sum(len(found[question]) for question in named) - len(named)
    assert len(missed) <= 3, missed
    assert len(noise) <= 3, noise
    assert beside <= 5


def test_commands_and_hooks_rank_alike(filled: Path) -> None:
    with Search(filled / FILE) as search:
        for question in (
            "deploy with pnpm",
            "postgres port",
            "which port does getUserProfile use",
        ):
            at_prompt = [hit.fragment.path for hit in ask(filled, question, threshold=0.0)]
            listed = [hit.path for hit in search.query(question, BOTH) if "/system/" not in hit.path]
            assert listed == at_prompt != []


def test_a_question_of_which_half_is_held_is_about_half(filled: Path) -> None:
    whole = ask(filled, "postgres port")[0].percent
    half = ask(filled, "postgres zebra", threshold=0.1)[0].percent
    assert whole > 74
    assert 0.3 * whole < half < 0.75 * whole


def test_rare_words_weigh_more_than_those_of_every_memory(tmp_path: Path) -> None:
    many = [memory(f"Service heron{n} restarts", name=f"n{n}") for n in range(30)]
    fill(tmp_path, many)
    assert [hit.fragment.name for hit in ask(tmp_path, "service heron7 restarts")] == ["n7"]
    assert ask(tmp_path, "the service restarts", threshold=0.01) == []


def test_no_more_than_asked_for_and_the_best_and_newest_first(tmp_path: Path) -> None:
    same = [memory("Rollout by hand", name=f"n{n}", days=n) for n in range(15)]
    fill(tmp_path, [*same, *(memory(f"Other {n}", name=f"o{n}") for n in range(20))])
    assert [hit.fragment.name for hit in ask(tmp_path, "rollout")] == [f"n{n}" for n in range(10)]
    assert len(ask(tmp_path, "rollout", most=2)) == 2


def test_no_hit_below_the_threshold(filled: Path) -> None:
    at = ask(filled, "which port", threshold=0.1)[0].percent
    assert ask(filled, "which port", threshold=(at + 1) / 100) == []


def test_a_superseded_or_forgotten_memory_is_no_hit(tmp_path: Path) -> None:
    fill(tmp_path, STORED)
    prepare(tmp_path, STORED[1:])
    assert ask(tmp_path, "deploys tuesdays") == []


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_question_is_answered_within_bounds(filled: Path, question: str) -> None:
    found = ask(filled, question, threshold=0.0)
    assert all(0 <= hit.percent <= 100 for hit in found)
    assert [hit.percent for hit in found] == sorted((hit.percent for hit in found), reverse=True)
    assert {hit.fragment.scope for hit in found} <= {GLOBAL, LARKSPUR}
    assert found == ask(filled, question, threshold=0.0)


def test_what_is_missing_or_damaged_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="silt rebuild"):
        SearchReader(str(tmp_path))
    (tmp_path / FILE).write_bytes(b"rubbish" * 900)
    with pytest.raises(StateError, match="silt rebuild"):
        SearchReader(str(tmp_path))


def test_what_is_shown_anyway_or_overridden_takes_no_hits_place(tmp_path: Path) -> None:
    """Fifty of each, newer and so better than the one that is to be found: more than are looked at."""
    pinned = [memory(f"Deploys {n}", name=f"pinned-{n}", hot=True) for n in range(50)]
    hidden = [memory(f"Deploys {n}", name=f"hidden-{n}", scope=GLOBAL) for n in range(50)]
    mine = memory("Deploys go out on Tuesdays only, after the smoke tests passed", days=30)
    others = [memory(f"Colour {n}") for n in range(120)]
    whole = [*pinned, *hidden, *others, mine]
    fill(tmp_path, whole, lambda changed: [(mine, one) for one in hidden])
    assert [hit.fragment.path for hit in ask(tmp_path, "deploys", most=1)] == [mine.path]


def test_what_was_seen_takes_no_other_ones_place(filled: Path) -> None:
    question = "deploy with pnpm"
    first = ask(filled, question, threshold=0.1, most=1)[0].fragment
    both = ask(filled, question, threshold=0.1)
    assert len(both) > 1
    assert ask(filled, question, threshold=0.1, most=1, seen=[first.path]) == [both[1]]


def test_a_memory_that_writes_a_word_in_many_ways_counts_once(tmp_path: Path) -> None:
    several = [
        memory(f"Ship parcels; each shipment is shipped by shipping item {n}", name=f"t{n}") for n in range(6)
    ]
    others = [memory(f"Heron {n} stands in the water", name=f"h{n}") for n in range(18)]
    fill(tmp_path, [*several, *others])
    assert len(ask(tmp_path, "shipments")) == 6


def test_a_word_that_half_of_the_memories_write_in_one_way_or_another_tells_nothing(tmp_path: Path) -> None:
    ways = [memory(f"Heron {n} {'deploys' if n % 2 else 'deploying'} ships", name=f"w{n}") for n in range(12)]
    fill(tmp_path, [*ways, *(memory(f"Stork {n} stands in the water", name=f"s{n}") for n in range(12))])
    assert ask(tmp_path, "deploy", threshold=0.01) == []
