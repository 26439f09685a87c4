"""Which shell commands print what somebody else wrote (invariant 6).

A reader prints the content of files, pages, logs, history or databases: its output is read-content. The
output of everything else (builds, tests, version queries) is observed. A command line that does both is a
reader, because its lines of output cannot be told apart. `commands.toml` names the readers.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import dropwhile
from typing import Literal, NamedTuple

from siltstone.pipeline.words import word_lists

Prints = Literal["observed", "said", "read"]
"""What a program prints: what the agent observes, its own words (`echo`), or what somebody else wrote."""

MAX_COMMAND = 20_000
MIN_PROSE = 4
"""With so many words a text between quotation marks is a sentence."""
MAX_WRAPPERS = 4
"""A program behind more runners (`sudo env nice …`) counts as a reader."""

_QUOTED = re.compile(r"(?:(?<=\$)'((?:[^'\\]|\\.)*+)'|'([^']*)'|\"((?:[^\"\\]|\\.)*+)\"?)", re.DOTALL)
"""In quotes: those of bash for text with escapes ($'…'), single, double."""
_TOKEN = re.compile(
    rf"(?P<sign>\|\||&&|[|;\n]|&(?!>))|(?:[^\s'\"|;&]|(?<=[<>])&|&(?=>)|{_QUOTED.pattern}|')+", re.DOTALL
)
"""A sign of the shell between programs, or a word. An apostrophe that nothing closes is a letter; a double
quote reaches to the end, which keeps this linear."""
_SUBSTITUTION = re.compile(r"`|<\(|(?<![<\d])<(?![<&=])")
_ENDS = r"(?P<word>\w+)(?P=mark)"
_HERE = rf"<<-?\s*(?P<mark>['\"]?){_ENDS}"
"""Begins a here-document, up to a line that is its word."""
_PLAIN = rf"<<-?\s*(?P<mark>['\"]){_ENDS}"
"""Begins one into which the shell puts nothing."""
_TARGET = r"(?P<to>>{1,2}\s*[^\s<>]+)"
_WRITTEN = tuple(
    map(
        re.compile,
        (
            rf"\bcat\s+{_TARGET}\s+{_HERE}",
            rf"\bcat\s+{_HERE}\s*{_TARGET}",
            rf"(?P<argument>\$\()\s*cat\s+{_PLAIN}",
            rf"(?P<told>\b(?:git\s(?:-C\s\S{{1,200}}\s)?(?:commit|tag|notes)|(?:gh|glab)\s(?:pr|mr|issue|release))\s"
            rf"[^\n;|&<$]{{0,200}}){_HERE}(?=[^\n|]*\n)",
        ),
    )
)
"""Begin a text of the agent's own: what a file holds, an argument (`git commit -m "$(cat <<'EOF' …`), or a
message (`git commit -F - <<EOF`)."""
_COMMENT = re.compile(r"^[ \t]*#(?!!)[ \t]*(\S.*)$", re.M)
_WORD = re.compile(r"(?<![^\s(\"'])[^\W\d_]+(?=[,.:;!?)\"']*(?:\s|$))")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{6}")
"""Is as much in a language without spaces."""
_PATH = re.compile(r"\s*(?:~?/|[A-Za-z]:[\\/])")
_MESSAGE = re.compile(r"--?(?:message|body|title|notes|description|comment|subject)(?:=.*)?", re.DOTALL)
"""An option with a text for readers, of any program."""
_TO_FILE = re.compile(r"(?<![\d&<])>{1,2}\s*[^&\s]")
_STRICT = re.compile(r"(?:^|[;\n&])[ \t]*set[ \t]+-\w*e")
_CODE = re.compile(r"-\w*c")
_LINE_BEGINS = {
    "cmd": re.compile(r"/{1,2}(?:[a-z]/)*[ck]", re.I),
    **dict.fromkeys(("powershell", "pwsh"), re.compile(r"-c(?:ommand)?", re.I)),
}
"""Stands before the line that a shell of Windows is given: all that follows."""
_PREFIXED = re.compile(r"(?:start|for|if)(?!\w)", re.I)
"""Begins a line of cmd whose program stands somewhere behind."""
_CALLED = re.compile(r"@?\s*(?:call\s+)?", re.I)
"""May stand before any line of cmd."""
_SCRIPT = re.compile(r"-f(?:ile)?|.*\.ps1", re.I)
"""Says that PowerShell runs a script, as any program is run."""
_ENDING = re.compile(r"\.(?:exe|cmd|bat)$", re.I)
"""What Windows adds to the name of a program."""
_BEFORE_NAME = re.compile(r"[A-Za-z_]\w*=.*|[({!&]|if|then|do|while|for|else", re.DOTALL)
"""Stands before a program's name: an assignment, a bracket, a keyword of the shell."""
_OPTION = re.compile(
    r"-.*|[A-Za-z_]\w*=.*|\d+[smh]?|run|exec|x|dlx|tool|with|[({!&]|if|then|do|while|for|else", re.DOTALL
)
"""Stands between a runner and what it runs."""
_INLINE = frozenset({"-c", "-e", "-p", "--eval", "--print", "-E", "-r", "-"})
_VERSION = frozenset({"--version", "-V", "-v"})


class Program(NamedTuple):
    """One program of a command line."""

    words: tuple[str, ...]
    """Its name and arguments, without quote marks; never empty."""
    prints: Prints
    """Whose words the pipeline prints that it stands in: the first program of a pipeline decides."""
    sure: bool
    """Status 0 of the whole line means that this program succeeded."""

    @property
    def name(self) -> str:
        return bare_name(self.words[0])


def bare_name(program: str) -> str:
    """The name of a program, without its folder and its ending."""
    return _ENDING.sub("", re.split(r"[/\\]", program)[-1])


def reads(command: str) -> bool:
    """Whether what the command prints may be the content of files, pages, logs or databases.

    In a pipeline the first program is the source: `cargo build | tail` is no reader, `cat x | sort` is. What
    reads in PowerShell does so within a bracket and behind "=" too: `$x = Get-Content a; $x`.
    """
    return _parse(command)[1] or _reads_in_powershell(command)


def shells() -> frozenset[str]:
    """Names of the shells of Unix."""
    return word_lists(__file__, "programs")["shells"]


@lru_cache(maxsize=256)
def _reads_in_powershell(command: str) -> bool:
    """Whether a line has, outside quotation marks, what reads in PowerShell where a program may stand."""
    bare = _QUOTED.sub("_", _COMMENT.sub("", _parted(command)[0]))
    return _cmdlets().search(bare) is not None


@cache
def _cmdlets() -> re.Pattern[str]:
    lists = word_lists(__file__, "powershell")
    names, piped, short = ("|".join(sorted(lists[key])) for key in ("readers", "piped", "short"))
    begins = rf"^|[;\n(&]|\|\||(?<!\$)\{{|(?<!\w)return\s|\$[\w:]+\s*\+?=|\|(?=\s*(?:{piped})(?![\w-]))"
    return re.compile(
        rf"(?:{begins})\s*(?:{names})(?![\w-])|\$[\w:]+\s*\+?=\s*(?:{short})\s"
        r"|\[(?:System\.)?(?:IO|Net)\.[\w.]+\]::(?:Read|Open|Create\()|new-object\s+\S*(?:reader|client)"
        r"|(?<!\w)switch\s+-file(?!\w)|\$\{[a-z]:",
        re.I | re.M,
    )


def only_acts(command: str) -> bool:
    """Whether all that reads in a command was to change something (`gh pr merge`): where that fails, it
    prints what stopped it and no content."""
    known = word_lists(__file__, "programs")
    readers = [one for one in programs(command) if one.prints == "read"]
    if not readers or _reads_in_powershell(command):
        return False
    return all(
        one.name in known["actors"] and not known["acts"].isdisjoint(one.words[2:3]) for one in readers
    )


@lru_cache(maxsize=256)
def agents_words(command: str) -> tuple[str, ...]:
    """The agent's own words in a command: what `echo` prints, comments, sentences between quotation marks
    (the message of a commit), and lines of texts that it writes."""
    bare, written = _parted(command)
    said = (word for one in programs(command) if one.prints == "said" for word in one.words[1:])
    texts = (*written, *_prose(bare))
    lines = (line for text in texts for line in text.split("\n") if line.strip())
    return tuple(dict.fromkeys((*said, *texts, *lines, *_COMMENT.findall(command[:MAX_COMMAND]))))


def _prose(command: str) -> Iterator[str]:
    """Sentences between quotation marks: what a line says to nobody who runs it, but to a reader."""
    known = word_lists(__file__, "programs")
    for stage in (stage for _, stages, _ in _pipelines(command) for stage in stages):
        words = _words(stage)
        for _ in range(MAX_WRAPPERS):
            if _line_of_shell(words) is None and words and bare_name(words[0]).lower() in known["runners"]:
                words = _run_by(words)
        if (line := _line_of_shell(words)) is not None:
            yield from _prose(line)
            continue
        name = bare_name(words[0]).lower() if words else ""
        for before, word in zip(["", *stage], stage, strict=False):
            an_argument = not before.startswith("-") and name not in known["takers"]
            told = name in known["tellers"] or name in known["interpreters"] or _MESSAGE.fullmatch(before)
            if an_argument or told:
                quoted = ("".join(filter(None, one.groups())) for one in _QUOTED.finditer(word))
                yield from filter(_is_prose, quoted)


def _is_prose(text: str) -> bool:
    words = len(_WORD.findall(text)) >= MIN_PROSE or _UNSPACED.search(text) is not None
    return words and _PATH.match(text) is None


def programs(command: str) -> list[Program]:
    """The programs of a command line, in order. A shell with `-c` counts as the programs of its line.

    The status of a line is that of its last program. 0 also vouches for the programs that `&&` joins to the
    last one, but not for those before `;`, `||`, `&` or `!`, nor for the earlier ones of a pipeline, unless
    the line sets `-e` or `pipefail`. The text of a here-document is taken for programs too, unless it is
    written to a file.
    """
    return _parse(command)[0]


@lru_cache(maxsize=256)
def _parse(command: str) -> tuple[list[Program], bool]:
    """The programs of a command line, and whether any of its pipelines reads."""
    command = _parted(command)[0].rstrip(" \t\n;")
    bare = _QUOTED.sub("_", command)
    strict, pipefail = _STRICT.search(bare) is not None, "pipefail" in bare
    found: list[Program] = []
    reading, cut = False, 0
    for before, stages, behind in _pipelines(command):
        if before in ("&", "||") or (before in (";", "\n") and not strict):
            cut = len(found)
        pipeline: list[Program] = []
        for stage in stages:
            last = pipefail or stage is stages[-1]
            sure = last and before != "||" and behind not in ("||", "&") and stage[0] != "!"
            words = _words(stage)
            if (line := _line_of_shell(words)) is not None:
                pipeline += [one._replace(sure=sure and one.sure) for one in programs(line)]
            elif words:
                pipeline.append(Program(tuple(words), "observed", sure))
        prints = _prints(stages)
        reading = reading or prints == "read"
        if len(stages) > 1 or _line_of_shell(_words(stages[0])) is None:
            pipeline = [one._replace(prints=prints) for one in pipeline]
        found += pipeline
    return [one._replace(sure=one.sure and n >= cut) for n, one in enumerate(found)], reading


def _parted(command: str) -> tuple[str, list[str]]:
    """The line without the texts that it writes, and these texts."""
    command = command[:MAX_COMMAND].replace("\\\n", " ")
    kept, written, at = "", list[str](), 0
    hits = [form.search(command) for form in _WRITTEN]
    while found := min(filter(None, hits), key=re.Match.start, default=None):
        line, its = command.find("\n", found.end()), found.groupdict()
        behind = r"\s*\)" if "argument" in its else r"(?=\n|$)"
        end = re.compile(rf"\n[ \t]*{its['word']}[ \t]*{behind}").search(command, max(line, 0))
        if line < 0 or end is None:
            break
        begins = its.get("told") or f"true {its.get('to')}"
        in_place = "_" if "argument" in its else begins + command[found.end() : line]
        kept += command[at : found.start()] + in_place
        written.append(command[line : end.start()])
        at = end.end()
        hits = [
            form.search(command, at) if hit and hit.start() < at else hit
            for form, hit in zip(_WRITTEN, hits, strict=True)
        ]
    return kept + command[at:], written


def _pipelines(command: str) -> Iterator[tuple[str, list[list[str]], str]]:
    """The pipelines of a line: the sign before one, its programs' words as they stand, the sign behind it."""
    before, stages = "", [list[str]()]
    for token in [*_TOKEN.finditer(command), None]:
        sign = "\n" if token is None else token["sign"]
        if token is not None and not sign:
            stages[-1].append(token[0])
        elif sign == "|":
            stages.append([])
        elif filled := [stage for stage in stages if stage]:
            yield before, filled, sign
            before, stages = sign, [[]]
        elif sign not in (";", "\n"):
            before = sign


def _prints(stages: Sequence[Sequence[str]]) -> Prints:
    """Whose words a pipeline prints. A file or another program's output that goes in may be printed again."""
    shape = " ".join(_QUOTED.sub("_", word) for stage in stages for word in stage)
    fed = _SUBSTITUTION.search(shape) or any("$(" in word for stage in stages for word in stage)
    words = _words(stages[0])
    if not fed and not _reader(words):
        return "observed"
    sayers = word_lists(__file__, "programs")["sayers"]
    if fed or len(stages) > 1 or not words or words[0].lower() not in sayers:
        return "read"
    return "observed" if _TO_FILE.search(shape) else "said"


def _words(stage: Sequence[str]) -> list[str]:
    """A program's name and arguments, without quote marks and what the shell adds around them."""
    bare = [_QUOTED.sub(lambda quoted: next(filter(None, quoted.groups()), ""), word) for word in stage]
    words = [*dropwhile(_BEFORE_NAME.fullmatch, bare)]
    if words:
        words[0] = words[0].lstrip("({") or words[0]
        words[-1] = words[-1] if "(" in words[-1] else words[-1].rstrip(")}")
    return [word for word in words if word]


def _run_by(words: Sequence[str]) -> list[str]:
    """What a runner runs, with its arguments."""
    return [*dropwhile(_OPTION.fullmatch, words[1:])]


def _line_of_shell(words: Sequence[str]) -> str | None:
    """The line that a shell is given with `-c`, `-Command` or `/c`; None for another program."""
    name = bare_name(words[0]).lower() if words else ""
    if begins := _LINE_BEGINS.get(name):
        return " ".join([*dropwhile(lambda word: not begins.fullmatch(word), words)][1:]) or None
    if name not in shells():
        return None
    return next(iter([*dropwhile(lambda word: not _CODE.fullmatch(word), words)][1:]), None)


def _reader(words: Sequence[str], depth: int = 0) -> bool:
    """Whether a program prints what somebody else wrote. Of `sudo cat x`, `bash -lc "cat x"` and
    `uv run python -c …` what is run decides."""
    if not words:
        return False
    known, subcommands = word_lists(__file__, "programs"), word_lists(__file__, "subcommands")
    name, rest = bare_name(words[0]).lower(), words[1:]
    if (line := _line_of_shell(words)) is not None:
        if name != "cmd":
            return reads(line)
        line = _CALLED.sub("", line, count=1)
        return reads(line) or _PREFIXED.match(line) is not None
    if name == "wsl" and rest and not rest[0].startswith("-"):
        return _reader(rest, depth + 1)
    if name in known["runners"]:
        return depth > MAX_WRAPPERS or _reader(_run_by(words), depth + 1)
    if name in known["interpreters"]:
        return (not rest or not _INLINE.isdisjoint(rest)) and _VERSION.isdisjoint(rest)
    if name in ("powershell", "pwsh"):  # what else it is given is its own code
        return not any(map(_SCRIPT.fullmatch, rest)) and _VERSION.isdisjoint(rest)
    if name in subcommands:
        verbs = [word for word in rest if not word.startswith("-")][:3]
        if name == "git" and rest and not rest[0].startswith("-"):
            verbs = verbs[:1]  # what follows is a path: `git check-ignore log`
        return not subcommands[name].isdisjoint(verbs)
    readers = known["readers"] | word_lists(__file__, "powershell")["readers"]
    return name in readers and rest[:1] not in (["--version"], ["-V"])
