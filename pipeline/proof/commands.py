"""Which shell commands print what somebody else wrote (invariant 6).

A reader prints the content of files, pages, logs, history or databases: its output is read-content. The
output of everything else (builds, tests, version queries) is observed. A command line that does both is a
reader, because its lines of output cannot be told apart.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from siltstone.pipeline.words import words

Prints = Literal["observed", "said", "read"]
"""What a program prints: what the agent observes, its own words (`echo`), or what somebody else wrote."""

MAX_COMMAND = 20_000

READERS = words(
    "7z ack ag apropos ar atuin awk base64 bat batcat cat catdoc cmp column comm csvcut csvlook "
    "curl cut dasel dd diff difft dig dmesg docx2txt echo egrep elinks envsubst exiftool expand fd "
    "fdfind fgrep find fmt fold fx gawk gh glab glow grep gron gunzip gzcat gzip head hexdump hexyl "
    "hg host htmlq http httpie https iconv jj jless join journalctl jq lastlog less links llm "
    "locate look lolcat ls lsd eza exa lynx mail mailx man mawk mdcat miller mlr mongosh mongo more "
    "most mutt mysql nc ncat netcat nkf nl nslookup od paste pbpaste pdfgrep pdftotext pg pandoc "
    "printf psql rcat redis-cli rev rg rga scp sed sftp shuf sops sort split sqlcmd sqlite3 ssh "
    "stat strings svn tac tail tar tee telnet tesseract tldr tr tree type ugrep unzip usql vault "
    "w3m wget whois xargs xclip xmllint xq xsel xsv xxd yq zcat zgrep zless zstd zstdcat "
    "get-content gc select-string findstr invoke-webrequest iwr irm invoke-restmethod claude codex "
    "opencode gemini aider ollama"
)
"""Programs that print somebody else's words; `echo` and `printf` print the agent's own."""

_SAYERS = frozenset({"echo", "printf"})

_SUB_READERS = {
    name: words(verbs)
    for name, verbs in {
        "git": "annotate archive blame cat-file diff format-patch grep log ls-files notes range-diff "
        "reflog shortlog show stash tag whatchanged",
        "docker": "logs inspect cp exec search",
        "podman": "logs inspect cp exec",
        "compose": "logs exec",
        "docker-compose": "logs exec run",
        "kubectl": "logs exec cp describe explain get",
        "oc": "logs exec get describe",
        "helm": "get show history search",
        "nomad": "alloc logs",
        "heroku": "logs",
        "fly": "logs ssh",
        "flyctl": "logs ssh",
        "vercel": "logs inspect",
        "npm": "view info show search audit explain",
        "pnpm": "view info why audit",
        "yarn": "info npm why audit",
        "pip": "show search download",
        "cargo": "search info doc",
        "brew": "info desc search cat",
        "apt": "show search changelog",
        "go": "doc",
        "systemctl": "cat status show",
        "aws": "s3 logs ssm secretsmanager",
        "gcloud": "logging storage",
        "az": "monitor",
    }.items()
}
"""Programs of which only some subcommands read."""

_RUNNERS = words(
    "bash busybox chronic chroot command direnv doas env exec fish ionice ksh nice nohup npx pnpx "
    "bunx uvx pipx poetry pipenv pdm rye hatch mise asdf rtk script setsid sh stdbuf sudo time "
    "timeout unbuffer uv watch zsh dash"
)
_RUN_WORDS = words("run exec x dlx -c -lc -ic -e tool -- with")
_INTERPRETERS = words(
    "python python3 python2 node deno bun ruby perl php lua Rscript osascript tclsh pwsh powershell"
)
_SHELLS = words("bash sh zsh fish dash ksh")
_SPLIT = re.compile(r"\|\||&&|[;\n]|(?<![<>&])&(?![>&])")
_QUOTE = re.compile(r"['\"]")
_DOUBLE = re.compile(r'"(?:[^"\\]|\\.)*+"')
_SUBSTITUTION = re.compile(r"\$\(|`|<\(|(?<![<\d])<(?![<&=])")
_WORD = re.compile(r"[^\s'\"]+")
_STRICT = re.compile(r"(?:^|[;\n&])[ \t]*set[ \t]+-\w*e")
_CODE = re.compile(r"-\w*c")
_ASSIGNS = re.compile(r"[A-Za-z_]\w*=")
_DURATION = re.compile(r"\d+[smh]?$")
MAX_WRAPPERS = 4
"""A program behind more runners (`sudo env nice …`) counts as a reader."""


class Program(NamedTuple):
    """One program of a command line."""

    words: tuple[str, ...]
    """Its name and arguments, without quote marks; never empty."""
    prints: Prints
    """Whose words the pipeline prints that it stands in: the first program of a pipeline decides."""
    sure: bool
    """Status 0 of the whole line means that this program succeeded."""


def reads(command: str) -> bool:
    """Whether what the command prints may be the content of files, pages, logs or databases.

    In a pipeline the first program is the source: `cargo build | tail` is no reader, `cat x | sort` is.
    """
    return _parse(command)[1]


def programs(command: str) -> list[Program]:
    """The programs of a command line, in order. A shell with `-c` counts as the programs of its line.

    The status of a line is that of its last program. 0 also vouches for the programs that `&&` joins to the
    last one, but not for those before `;`, `||`, `&` or `!`, nor for the earlier ones of a pipeline, unless
    the line sets `-e` or `pipefail`. The text of a here-document is taken for programs too.
    """
    return _parse(command)[0]


def _parse(command: str) -> tuple[list[Program], bool]:
    """The programs of a command line, and whether any of its pipelines reads."""
    command = command[:MAX_COMMAND].replace("\\\n", " ").rstrip(" \t\n;")
    blank = _blank(command)
    strict = _STRICT.search(blank) is not None
    pipefail = "pipefail" in blank
    found: list[Program] = []
    reading = False
    start, before, cut = 0, "", 0
    for mark in [*_SPLIT.finditer(blank), None]:
        end, sign = (len(blank), "") if mark is None else (mark.start(), mark.group())
        text, shape = command[start:end], blank[start:end]
        pieces = _piped(text, shape)
        sure = before != "||" and sign not in ("||", "&")
        if before in ("&", "||") or (before in (";", "\n") and not strict):
            cut = len(found)
        pipeline: list[Program] = []
        for n, piece in enumerate(pieces):
            pipeline += _started(piece, sure and (pipefail or n == len(pieces) - 1))
        prints = _prints(text, shape, pipeline)
        reading = reading or prints != "observed"
        if "|" in shape or _line_of_shell(_bare(text)) is None:
            pipeline = [one._replace(prints=prints) for one in pipeline]
        found += pipeline
        start, before = end + len(sign), sign if pieces or sign not in (";", "\n") else before
    return [one._replace(sure=one.sure and n >= cut) for n, one in enumerate(found)], reading


def _prints(text: str, shape: str, pipeline: Sequence[Program]) -> Prints:
    """Whose words a pipeline prints. A file or another program's output that goes in may be printed again."""
    fed = _SUBSTITUTION.search(shape) is not None or "$(" in text
    if not fed and not _reader(_tokens(text[: f"{shape}|".index("|")])):
        return "observed"
    return "said" if not fed and pipeline and pipeline[0].words[0] in _SAYERS else "read"


def _piped(command: str, blank: str) -> list[str]:
    """The programs of a pipeline."""
    cuts = [-1, *(at for at, sign in enumerate(blank) if sign == "|"), len(blank)]
    pieces = [command[cut + 1 : end] for cut, end in pairwise(cuts)]
    return [piece for piece in pieces if piece.strip()]


def _started(piece: str, sure: bool) -> list[Program]:
    """A program as it is, or those that a shell is given with `-c`."""
    sure = sure and "!" not in _tokens(piece)[:1]
    tokens = _bare(piece)
    line = _line_of_shell(tokens)
    if line is not None:
        return [one._replace(sure=sure and one.sure) for one in programs(line)]
    return [Program(tuple(tokens), "observed", sure)] if tokens else []


def _bare(piece: str) -> list[str]:
    """A program's name and arguments, without what the shell adds around them."""
    tokens = _program(_tokens(piece))
    if tokens and "(" not in tokens[-1]:
        tokens[-1] = tokens[-1].rstrip(")}")
    return [word for word in tokens if word]


def _line_of_shell(tokens: Sequence[str]) -> str | None:
    """The line that a shell is given with `-c`; None for another program."""
    if not tokens or tokens[0].rsplit("/", 1)[-1] not in _SHELLS:
        return None
    at = next((n for n, word in enumerate(tokens) if _CODE.fullmatch(word)), len(tokens)) + 1
    return tokens[at] if at < len(tokens) else None


def _blank(command: str) -> str:
    """A copy in which quoted text is blanked, so that no operator in it counts."""
    kept, at = [], 0
    for start, end in _quoted(command):
        kept += [command[at : start + 1], "_" * (end - start - 2), command[end - 1]]
        at = end
    return "".join([*kept, command[at:]])


def _tokens(piece: str) -> list[str]:
    """The words of a command, without quote marks."""
    tokens: list[str] = []
    at = 0
    for start, end in _quoted(piece):
        tokens += [*_WORD.findall(piece, at, start), piece[start + 1 : end - 1]]
        at = end
    return tokens + _WORD.findall(piece, at)


def _quoted(command: str) -> Iterator[tuple[int, int]]:
    """Spans of quoted text, quote marks included. A mark that nothing closes is an ordinary character.

    A double quote that nothing closes means that every later one is escaped, so none of those closes
    either: they are not looked at, which keeps this linear.
    """
    at, closes = 0, True
    while mark := _QUOTE.search(command, at):
        start = mark.start()
        at = start + 1
        if mark.group() == "'":
            end = command.find("'", at) + 1
        elif closes:
            double = _DOUBLE.match(command, start)
            end = double.end() if double else 0
            closes = double is not None
        else:
            end = 0
        if end:
            yield start, end
            at = end


def _reader(tokens: list[str], depth: int = 0) -> bool:
    tokens = _program(tokens)
    if not tokens:
        return False
    name = tokens[0].rsplit("/", 1)[-1].lower().removesuffix(".exe")
    rest = tokens[1:]
    if name in _RUNNERS:
        return _wrapped(name, rest, depth)
    if name in _INTERPRETERS:
        inline = not rest or any(
            word in ("-c", "-e", "-p", "--eval", "--print", "-E", "-r", "-") for word in rest
        )
        return inline and not any(word in ("--version", "-V", "-v") for word in rest)
    if name in _SUB_READERS:
        verbs = [word for word in rest if not word.startswith("-")][:3]
        return any(verb in _SUB_READERS[name] for verb in verbs)
    return name in READERS and not (rest and rest[0] in ("--version", "-V"))


def _program(tokens: list[str]) -> list[str]:
    """The tokens from the program's name on: no assignments, brackets, keywords of the shell."""
    i = 0
    while i < len(tokens) and (
        _ASSIGNS.match(tokens[i])
        or tokens[i] in ("(", "{", "!", "if", "then", "do", "while", "for", "else", "&")
    ):
        i += 1
    if i < len(tokens) and len(tokens[i]) > 1 and tokens[i][0] in "({":
        tokens = [*tokens[:i], tokens[i][1:], *tokens[i + 1 :]]
    return tokens[i:]


def _wrapped(name: str, rest: list[str], depth: int) -> bool:
    """`sudo cat x`, `bash -lc "cat x"`, `uv run python -c …`: what is run decides."""
    if depth > MAX_WRAPPERS:
        return True
    if name in _SHELLS and any(_CODE.fullmatch(word) for word in rest):
        line = _line_of_shell([name, *rest])
        return line is not None and reads(line)
    i = 0
    while i < len(rest) and (
        rest[i].startswith("-")
        or rest[i] in _RUN_WORDS
        or _ASSIGNS.match(rest[i])
        or _DURATION.match(rest[i])
    ):
        i += 1
    return _reader(rest[i:], depth + 1)
