"""The questions that agents ask their users, and the answers: all four agents write them alike."""

from siltstone.agents.values import items, obj, string


def asked(questions: object) -> str:
    """What the agent asked: each question, with its options below it."""
    lines: list[str] = []
    for question in map(obj, items(questions)):
        lines.append(string(question.get("question")))
        for option in map(obj, items(question.get("options"))):
            lines.append(f"- {string(option.get('label'))}: {string(option.get('description'))}")
    return "\n".join(lines)


def answered(answers: object) -> str:
    """What the user answered: a list or an object of texts, or of lists of texts. A text is an option's, or
    typed."""
    listed = list(answers.values()) if isinstance(answers, dict) else items(answers)
    texts = [one for answer in listed for one in (answer if isinstance(answer, list) else [answer])]
    return "\n".join(filter(None, map(string, texts)))
