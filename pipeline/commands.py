"""Which shell commands show what somebody else wrote (invariant 6).

A *reader* prints the content of files, pages, logs, history or databases: its output is read-content.
Everything else (builds, tests, version queries) says something the agent observed itself. Where a
command line does both, it is a reader: nobody can tell the lines apart.
"""

from itertools import pairwise

from siltstone.pipeline.words import words
from siltstone.store.late import LatePattern
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Iterator, Sequence
    from typing import Literal

    Prints = Literal["observed", "said", "read"]
    """What the agent observed itself, what it said (`echo`), or what somebody else wrote (`reads`)."""
else:
    Prints = str

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
"""Programs whose output is somebody else's words. `echo` and `printf` print the agent's own."""

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
"""Programs that read with some of their commands only."""

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
_SPLIT = LatePattern(r"\|\||&&|[;\n]|(?<![<>&])&(?![>&])")
_QUOTED = LatePattern(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_SUBSTITUTION = LatePattern(r"\$\(|`|<\(|(?<![<\d])<(?![<&=])")
_TOKEN = LatePattern(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|([^\s'\"]+)")
_STRICT = LatePattern(r"(?:^|[;\n&])\s*set\s+-\w*e")
_CODE = LatePattern(r"-\w*c")
_ASSIGNS = LatePattern(r"[A-Za-z_]\w*=")
_FOR_SO_LONG = LatePattern(r"\d+[smh]?$")
_BARE = LatePattern(r"[\w./:=@%+,-]+")


def reads(command: str) -> bool:
    """Whether what the command prints may be the content of files, pages, logs or databases.

    In a pipeline the first program is the source: `cargo build | tail` is no reader, `cat x | sort` is.
    """
    return any(_source_reads(piece, shape) for piece, shape in _pieces(command))


class Part(NamedTuple):
    """One program of a command line, and whose words it prints."""

    words: tuple[str, ...]
    """Its name and arguments, without quote marks; never empty."""
    prints: Prints


def parts(command: str) -> list[Part]:
    """What `reads` says of a command line, for each of its programs.

    A shell that is given a line stands for the programs of that line, and the first program of a
    pipeline for all of it. Nothing is told of a line with a here-document, whose text looks like programs.
    """
    if "<<" in command:
        return []
    found: list[Part] = []
    for piece, shape in _pieces(command):
        told = None if "|" in shape else _given_line(_bare(piece))
        if told is not None:
            found += parts(told)
            continue
        pipeline = [one for part in _piped(piece, shape) for one in _inner(part, True)]
        prints = _printed(pipeline[0].words[0], piece, shape) if pipeline else "observed"
        found += [Part(one.words, prints) for one in pipeline]
    return found


def _printed(name: str, piece: str, shape: str) -> Prints:
    """Whose words a pipeline prints, which its first program, of this name, decides."""
    if not _source_reads(piece, shape):
        return "observed"
    return "said" if name in _SAYERS and not _fed(piece, shape) else "read"


def _pieces(command: str) -> "Iterator[tuple[str, str]]":
    """The pipelines of a command line, and the same with what is quoted made unreadable."""
    command = command[:MAX_COMMAND].replace("\\\n", " ")
    blank = _blank(command)
    start = 0
    for match in [*_SPLIT.finditer(blank), None]:
        end = len(blank) if match is None else match.start()
        if command[start:end].strip():
            yield command[start:end], blank[start:end]
        start = end if match is None else match.end()


def _source_reads(piece: str, shape: str) -> bool:
    """Whether a pipeline's first program reads, or a file or another program's output goes in."""
    return _fed(piece, shape) or _reader(piece[: f"{shape}|".index("|")], depth=0)


def _fed(piece: str, shape: str) -> bool:
    """Whether a file or another program's output goes into what runs: it may come out again."""
    return _SUBSTITUTION.search(shape) is not None or "$(" in piece


class Program(NamedTuple):
    """One program of a command line."""

    words: tuple[str, ...]
    """Its name and arguments, without quote marks; never empty."""
    sure: bool
    """A status of 0 of the whole line says that this one succeeded."""


def programs(command: str) -> list[Program]:
    """The programs of a command line, in order; those a shell is given with `-c` in place of the shell.

    The status of a line is that of its end: 0 vouches for what `&&` joins to the end, of a pipeline for
    its last program, and for nothing that `;`, `||`, `&` or `!` cuts off (`set -e` and `pipefail` apart).
    """
    command = command[:MAX_COMMAND].replace("\\\n", " ").rstrip(" \t\n;")
    blank = _blank(command)
    strict = _STRICT.search(blank) is not None
    piped = "pipefail" in blank
    found: list[Program] = []
    start, before, cut = 0, "", 0
    for mark in [*_SPLIT.finditer(blank), None]:
        end, sign = (len(blank), "") if mark is None else (mark.start(), mark.group())
        pieces = _piped(command[start:end], blank[start:end])
        sure = before != "||" and sign not in ("||", "&")
        if before in ("&", "||") or (before in (";", "\n") and not strict):
            cut = len(found)
        for n, piece in enumerate(pieces):
            found += _inner(piece, sure and (piped or n == len(pieces) - 1))
        start, before = end + len(sign), sign if pieces or sign not in (";", "\n") else before
    return [one._replace(sure=one.sure and n >= cut) for n, one in enumerate(found)]


def _piped(command: str, blank: str) -> list[str]:
    """The programs of a pipeline."""
    cuts = [-1, *(at for at, sign in enumerate(blank) if sign == "|"), len(blank)]
    pieces = [command[cut + 1 : end] for cut, end in pairwise(cuts)]
    return [piece for piece in pieces if piece.strip()]


def _inner(piece: str, sure: bool) -> list[Program]:
    """A program as it is, or those that a shell is told to run."""
    sure = sure and "!" not in _tokens(piece)[:1]
    tokens = _bare(piece)
    if not tokens:
        return []
    told = _given_line(tokens)
    if told is not None and told != piece:
        return [one._replace(sure=sure and one.sure) for one in programs(told)]
    return [Program(tuple(tokens), sure)]


def _bare(piece: str) -> list[str]:
    """A program's name and arguments, without what the shell adds around them."""
    tokens = _program(_tokens(piece))
    if tokens and "(" not in tokens[-1]:
        tokens[-1] = tokens[-1].rstrip(")}")
    return [word for word in tokens if word]


def _given_line(tokens: "Sequence[str]") -> str | None:
    """The line that a shell is given with `-c`; None for another program."""
    if not tokens or tokens[0].rsplit("/", 1)[-1] not in _SHELLS:
        return None
    at = next((n for n, word in enumerate(tokens) if _CODE.fullmatch(word)), len(tokens)) + 1
    return tokens[at] if at < len(tokens) else None


def _blank(command: str) -> str:
    """The same with what is quoted made unreadable, so that no operator in it counts."""
    return _QUOTED.sub(
        lambda match: match.group()[0] + "_" * (len(match.group()) - 2) + match.group()[0], command
    )


def _tokens(piece: str) -> list[str]:
    return [next(group for group in match.groups() if group is not None) for match in _TOKEN.finditer(piece)]


def _reader(piece: str, depth: int) -> bool:
    tokens = _program(_tokens(piece))
    if not tokens:
        return False
    name = tokens[0].rsplit("/", 1)[-1].lower()
    name = name.removesuffix(".exe")
    rest = tokens[1:]
    if name in _RUNNERS:
        return _wrapped(name, rest, depth)
    if name in _INTERPRETERS:
        inline = (
            any(word in ("-c", "-e", "-p", "--eval", "--print", "-E", "-r", "-") for word in rest) or not rest
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
    if depth > 4:
        return True
    if name in _SHELLS and any(_CODE.fullmatch(word) for word in rest):
        at = next(i for i, word in enumerate(rest) if _CODE.fullmatch(word))
        return any(reads(word) for word in rest[at + 1 : at + 2])
    i = 0
    while i < len(rest) and (
        rest[i].startswith("-")
        or rest[i] in _RUN_WORDS
        or _ASSIGNS.match(rest[i])
        or _FOR_SO_LONG.match(rest[i])
    ):
        i += 1
    if i >= len(rest):
        return False
    return _reader(" ".join(_shell_quote(word) for word in rest[i:]), depth + 1)


def _shell_quote(word: str) -> str:
    return word if _BARE.fullmatch(word) else "'" + word.replace("'", " ") + "'"
