"""What was told to one agent is known to all: one after another, and all four at once on one project."""

from pathlib import Path

from real_desk import AGENTS, DECISIONS, FACTS, desk


def test_what_is_told_to_one_is_shown_to_the_next(tmp_path: Path) -> None:
    with desk(tmp_path) as here:
        here.silt("install", "all")
        known: list[str] = []
        for agent in (*AGENTS, AGENTS[0]):
            told = f"Please remember: {FACTS[agent]}." if len(known) < len(FACTS) else "What do you know?"
            ran = here.ask(agent, told)
            assert ran.code == 0, ran
            shown = here.turn(told).everything
            assert [one for one in FACTS.values() if one in shown and one not in told] == known
            here.learns(FACTS[agent])
            known += [FACTS[agent]] if len(known) < len(FACTS) else []
        by = {one["body"].rstrip("."): one["evidence"][0]["agent"] for one in here.memories()}
        assert by == {fact: agent for agent, fact in FACTS.items()}
        assert here.failures == []


def test_all_four_at_once_on_one_project(tmp_path: Path) -> None:
    with desk(tmp_path) as here:
        here.silt("install", "all")
        prompts = {
            agent: f"By the way, {DECISIONS[agent]}. And please remember: {FACTS[agent]}." for agent in AGENTS
        }
        ran = here.ask_all(prompts)
        assert {agent: one.code for agent, one in ran.items()} == dict.fromkeys(AGENTS, 0), ran
        here.learns(*FACTS.values(), *DECISIONS.values())
        here.settles()
        memories = here.memories()
        for told in (FACTS, DECISIONS):
            for agent, said in told.items():
                (one,) = [each for each in memories if said in each["body"]]
                assert [each["agent"] for each in one["evidence"]] == [agent]
        assert len(memories) == 8
        here.check_store()
