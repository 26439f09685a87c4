"""What kind of check or build a command is, by the programs it runs (docs/seeds.md A34, A35)."""

from siltstone.store.late import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Iterable, Sequence

CATEGORIES = {
    "typecheck": "tsc vue-tsc mypy pyright basedpyright pyre flow typecheck type-check check-types"
    " types-check svelte-check",
    "test": "test tests pytest jest vitest mocha unittest rspec phpunit ava tap playwright cypress ctest"
    " nextest karma tox nox",
    "lint": "lint eslint ruff flake8 pylint rubocop clippy stylelint golangci-lint biome oxlint prettier"
    " black vet standard",
    "build": "build compile make webpack vite rollup esbuild cargo gradle gradlew mvn mvnw cmake ninja gcc"
    " g++ clang clang++ javac msbuild xcodebuild tsup next swc",
}
"""What a program is by its name, or by the task it is told to run. To add a category, name it here, with
its words (docs/seeds.md B28)."""
RUNTIME = "runtime"
_PAIRS = {"cargo check": "typecheck", "deno check": "typecheck", "astro check": "typecheck"}
_TASKS = "test tests unittest lint build compile typecheck"
"""Words that name a task also as a part: `test:unit`, `run_tests.sh`."""
_RUNNERS = (
    "npm pnpm yarn bun npx bunx pnpx corepack make gmake just task rake gradle gradlew mvn mvnw cargo go"
    " dotnet deno mix swift composer bundle poetry uv uvx pdm hatch pipenv rye nx turbo lerna rush moon ninja"
    " bazel sbt stack cabal zig meson python python2 python3 node ruby php perl bash sh zsh sudo time timeout"
    " env nice xvfb-run docker podman docker-compose ng expo cmake next vite"
)
"""Programs that run a task or another program, named in what follows."""
_OTHERWISE = (
    "install i ci add remove rm uninstall update upgrade up init create new publish link get mod tidy fetch"
    " sync lock config cache login logs"
)
"""What runners do besides: then the words that follow are names of packages."""
_VALUED = "--filter -F -w --workspace --prefix -C --cwd --dir --directory --project -f --file"
"""Options of runners whose value is no task."""
_APART = LatePattern(r"[:._-]")
"""What parts the words of a name."""
_WORDS = 40
"""Of a command that are looked at."""


def category_of(programs: "Iterable[Sequence[str]]") -> str:
    """The kind of check or build that the first such program is; "runtime" where none is one.

    Only a program's name and the task it is told to run count: `cat tests/a.py` and
    `git commit -m "fix tests"` are no tests. A program is its words, the name first.
    """
    return next((kind for words in programs if (kind := _kind(words))), RUNTIME)


def _kind(words: "Sequence[str]") -> str:
    """The category of one program; "" for none."""
    name, runners = _program(words[0]), _RUNNERS.split()
    if name in ("test", "["):
        return ""  # the shell's own condition
    if name not in runners:
        return _named(name)
    if kind := _PAIRS.get(" ".join([name, *words[1:2]])):
        return kind
    before = ""
    for at, word in enumerate(words[1:_WORDS], 1):
        if word in _OTHERWISE.split() and not before.startswith("-"):
            return ""
        if word[:1] not in ("-", "+") and before not in _VALUED.split():
            if _program(word) in runners:
                return _kind(words[at:])
            if kind := _named(_program(word)):
                return kind
        before = word
    return _named(name)


def _program(word: str) -> str:
    return word.rsplit("/", 1)[-1].lower().removesuffix(".exe").removesuffix(".cmd")


def _named(word: str) -> str:
    """The category of a program or a task."""
    parts = set(_TASKS.split()).intersection(_APART.split(word))
    for kind, known in CATEGORIES.items():
        names = known.split()
        if word in names or word.replace(":", "-") in names or parts.intersection(names):
            return kind
    return ""
