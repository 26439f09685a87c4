"""The embedded model: what it finds in typed text, and what it leaves alone."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.pipeline.candidate import Candidate, RelatedEntry
from siltstone.pipeline.messages import Message, Role, Session, ToolCall
from siltstone.pipeline.origin import locate
from siltstone.pipeline.rules import extract
from siltstone.pipeline.window import Shown, Window

AT = datetime(2026, 9, 3, 12, 39, tzinfo=UTC)
SESSION = Session("claude", "s1", "/home/ada/src/mill")


def spoken(*turns: tuple[Role, str]) -> Window:
    shown = [
        Shown(n, SESSION, Message(f"m{n}", f"m{n}", role, text, AT))
        for n, (role, text) in enumerate(turns, 1)
    ]
    return Window("projects/mill", tuple(shown))


def typed(text: str, *related: RelatedEntry) -> list[Candidate]:
    return extract(spoken(("user", text)), related)


KEPT = {
    "correction": ("no, use bun here, not npm", "feedback", "project"),
    "correction-reason": ("wrong, we indent with tabs. The linter only knows tabs", "feedback", "project"),
    "correction-no-name": ("No, use tabs, not spaces.", "feedback", "project"),
    "correction-no-comma": ("no, use tabs not spaces in this project", "feedback", "project"),
    "correction-it-is": ("wrong, it's tabs, not spaces", "feedback", "project"),
    "correction-value": ("that's wrong, the port is 8443 not 8080", "feedback", "project"),
    "correction-two": ("That is wrong. The port is 8443, not 8080.", "feedback", "project"),
    "correction-de": ("nein, Tabs statt Leerzeichen", "feedback", "project"),
    "correction-zh": ("不对，用制表符，不是空格", "feedback", "project"),
    "correction-ja": ("いや、スペースではなくタブを使って", "feedback", "project"),
    "correction-ko": ("아니, 스페이스 말고 탭을 써", "feedback", "project"),
    "both-projects": ("in the old repo we shipped on npm, here: always use pnpm", "feedback", "project"),
    "ban": ("no inline styles in templates please, the CSP blocks them", "feedback", "project"),
    "ban-everywhere": ("never force-push, in any of my repos", "feedback", "global"),
    "repeated": ("I said it before: no mocks in the integration tests", "feedback", "project"),
    "style": ("please answer in German when I write German", "feedback", "project"),
    "stop": ("stop adding emojis to the changelog", "feedback", "project"),
    "when-you": ("when you write SQL, upper-case keywords please", "feedback", "project"),
    "declared": ("The sensor sends hundredths of a degree, not tenths", "feedback", "project"),
    "decision": ("We decided to go with SQLite because the boat has no server", "decision", "project"),
    "constraint": ("the form has to work offline, the field teams have no signal", "project", "project"),
    "law": ("invoices must be kept for 10 years, by law", "project", "project"),
    "fact": ("the customer database is MariaDB 10.6", "project", "project"),
    "behind-colon": ("and put it into the footer: sessions end after 30 minutes", "project", "project"),
    "reference": ("the error tracker is https://sentry.example/org/mill", "reference", "project"),
    "identity": ("I'm based in Lisbon by the way", "user", "global"),
    "shell": ("my shell is nushell, mind that when you hand me commands", "user", "global"),
    "change": ("we moved from Jest to Vitest in August", "decision", "project"),
    "polite": ("I would like to ask you that you never push to main", "feedback", "project"),
    "polite-question": ("May I ask you to always build in release mode?", "feedback", "project"),
    "chat": ("dont squash my commits when u rebase, in any repo", "feedback", "global"),
    "bare-contrast": ("poetry run pytest, not plain pytest", "feedback", "project"),
    "copula-contrast": ("the metric is wape not mape", "feedback", "project"),
    "method": ("measure with the Otii, not with the multimeter", "feedback", "project"),
    "means": ("log with slog, the handler adds the request id", "feedback", "project"),
    "only": ("please use only the replica for reading", "feedback", "project"),
    "nothing": ("nothing is renamed here and nothing should be deleted by hand", "feedback", "project"),
    "ask-first": ("ask me before you delete files", "feedback", "project"),
    "your-ways": ("keep your answers short, I read them on the phone", "feedback", "project"),
    "stick": ("stay on go 1.21, the build image has nothing newer", "feedback", "project"),
    "custom": ("SQL keywords in lower case please, as in the rest of the project", "feedback", "project"),
    "for-kind": ("for tests with real mail use the address of the office", "feedback", "project"),
    "wanted": ("I want tests next to the code, not in a separate folder", "feedback", "project"),
    "announced": ("One important point: amounts are stored in centavos", "project", "project"),
    "lasting-subject": ("our users are mostly nurses on shared tablets", "project", "project"),
    "all-of-a-kind": ("all the shops are in Bavaria", "project", "project"),
    "so-no": ("the boxes are offline for months, so no downloads at start", "feedback", "project"),
    "history": ("Jenkins is history, everything builds on GitLab CI now", "decision", "project"),
    "any-more": ("we don't use the dongle any more, the desk speaks Art-Net", "decision", "project"),
    "it-is": ("agreed, KML it is", "decision", "project"),
    "name-and-place": ("I'm Ilse, by the way; I look after this from Ghent", "user", "global"),
    "tool-and-system": ("I use Rider on Linux, so no Visual Studio instructions please", "user", "global"),
    "de-place": ("Ich wohne übrigens in Leipzig", "user", "global"),
    "ja-state": ("価格は税込みで保存されています", "project", "project"),
    "zh-number": ("订单号是八位数字，前面补零", "project", "project"),
    "zh-ban": ("不要用 moment.js，用 date-fns", "feedback", "project"),
    "zh-fact": ("数据库是 PostgreSQL 15，客户自己维护", "project", "project"),
    "zh-change": ("我们已经从 webpack 换成了 vite", "decision", "project"),
    "de": ("nein, nimm pnpm statt npm", "feedback", "project"),
    "de-change": ("wir hosten nicht mehr bei AWS, seit März läuft alles auf Hetzner", "decision", "project"),
    "es": ("ya no usamos Redis, ahora es Valkey", "decision", "project"),
    "fr": ("ne pousse jamais sur main", "feedback", "project"),
    "ja": ("npm ではなく pnpm を使ってください", "feedback", "project"),
    "ko": ("커밋 메시지는 항상 영어로 써줘", "feedback", "project"),
    "compound-noun": ("The test runner is Jest, with jsdom as environment", "project", "project"),
    "bare-plural": ("unit tests run on Jest", "project", "project"),
    "passive": ("pages are rendered on the server, search engines have to see them", "project", "project"),
    "before-colon": ("Customer data must stay in Frankfurt: the insurers say so", "project", "project"),
    "noun-not-order": ("commit messages follow conventional commits", "project", "project"),
    "custom-verb": ("we capitalise German nouns in the UI", "project", "project"),
    "recurring": ("The museum closes on Mondays and the sync runs then", "project", "project"),
    "ban-behind-comma": ("Staging resets at 2, don't keep test data there", "feedback", "project"),
    "leave-alone": ("I know it's tempting, but leave generated code alone", "feedback", "project"),
    "limit": ("Keep the page under 200 KB", "feedback", "project"),
    "case": ("Please write SQL keywords in lower case", "feedback", "project"),
    "in-doubt": ("when in doubt ask, don't guess", "feedback", "project"),
    "all-projects": ("In all my projects: British spelling", "feedback", "global"),
    "went-for": ("We went for SvelteKit in the end because the agency knows it", "decision", "project"),
    "stopped": ("we don't use feature branches any more", "decision", "project"),
    "trade": ("I'm a nurse by training so explain Docker slowly", "user", "global"),
    "zh-language": ("提交信息用英文写，代码注释用中文", "feedback", "project"),
    "ja-custom": ("うちは税率を整数の千分率で持っています", "project", "project"),
    "ja-manner": ("エラーメッセージは敬語でお願いします", "feedback", "project"),
    "ko-custom": ("우리는 금액을 원 단위 정수로 저장합니다", "project", "project"),
    "number-unit": ("予約枠は15分単位です", "project", "project"),
    "every-minutes": ("station data arrives every 10 minutes from the cantons", "project", "project"),
    "query-link": (
        "The support desk is https://desk.example/t?org=mill, they answer fast",
        "reference",
        "project",
    ),
    "explicit": ("please remember: invoices have no gaps", "feedback", "project"),
    "explicit-global": ("remember that commits are in English in all my repos", "feedback", "global"),
    "explicit-colon": ("Remember this for all my projects: I want why in the commit", "feedback", "global"),
    "explicit-zh": ("请记住：发布前必须先跑许可证检查", "feedback", "project"),
}


@pytest.mark.parametrize(("text", "type_", "scope"), KEPT.values(), ids=KEPT)
def test_kept(text: str, type_: str, scope: str) -> None:
    [candidate] = typed(text)
    assert (candidate.type, candidate.scope, candidate.action) == (type_, scope, "create")
    assert candidate.source == ("explicit" if "记住" in text or "remember" in text.lower() else "extraction")


LEFT = [
    "it never finishes",
    "the process is always at 100% CPU",
    "every time I click save it crashes",
    "there must be a bug in the parser",
    "the query returns 12 rows instead of 10",
    "the button must be disabled while loading",
    "we have to ship this by Friday",
    "don't forget the changelog entry",
    "no need to run everything",
    "ça ne marche pas",
    "run the tests again",
    "why is the query slow?",
    "I think we might use Kafka at some point",
    "let's postpone the dark mode, not now",
    "for this file only, use tabs",
    "the tests pass now, 42 of them",
    "have a look at https://git.example/acme/app/pull/42",
    "the second one sounds fine",
    "don't run it yet",
    "wait, don't commit this",
    "the spinner is always on top of the dialog, fix that",
    "the list has 12 items but I only see 10",
    "if the customer pays we could add SSO",
    "Anna says: always use yarn",
    'Tom wrote: "always deploy on Fridays, from now on", I told him no',
    "haha, never trust a Monday, lol",
    "never mind, I found it",
    "I always get confused by these two flags",
    "my colleague wants the planner to stop proposing mushrooms",
    "box 7 is back from the field, its battery died after 5 months instead of 24",
    "I have to go now to pick up my daughter",
    "no, put it on the left",
    "no no, I meant the sidebar of the shop",
    "the first column of this table must be bold",
    "sketch the model first, no code yet please",
    "in this PR I only want the rename",
    "we agreed on Monday to meet again",
    "we moved the meeting to 3 pm",
    "the version is now 2.0.1, the tag is pushed",
    "each of the tests takes 2 seconds",
    "there are no errors in the log",
    "if it takes too long, just skip it",
    "the problem is the encoding of the csv, it is latin-1",
    "fader 12 shows 0 on the desk",
    "unknown has to mean wet then",
    "I found this: https://stackoverflow.example/q/123, maybe it helps",
    "as far as I remember it was the second build",
    "Fix that before anything else please",
    "the delivery code NO for Norway is missing in the list",
    "In the ticket they write that the button must be green",
    "the bot commented that commits must be signed",
    "The error is: cannot read property 'x' of undefined",
    'I quote from the manual: "the valve must be closed first"',
    "my laptop is dying, I need to charge it",
    "that was never tested",
    "As far as I can see the lock is never released",
    "prefer the simple fix here",
    "The deadline is 14 March",
    "the level jumps from 2 to 4 between two cells, that can't be right",
    "the parser accepts `let let = 1`. it shouldn't",
    "ok never mind then, I'll copy the files",
    "优惠券算错了，满 200 减 30 没有生效",
    "김 팀장님은 몽고디비로 바꾸자고 하시는데 저는 반대예요",
    "So in short: the client sends the token twice",
    "The second customer has no orders, so the list is empty",
    "every page has the old logo",
    "match statements are fine",
    "the answer is always [REDACTED]",
    "田中さんはいつもテストを書けと言っています",
    "小李说所有接口都要用 GraphQL",
    "das Formular zeigt immer noch den alten Wert",
    "Die ist zweizeilig auf dem Handy",
    "先不要提交，我再看看",
    "把这个函数改名为 parse",
    "```\nALWAYS use tabs\n```",
    "> never use tabs here",
    "<memory>\n- never use tabs here\n</memory>\ngo on",
    "don't remember this: the demo must use port 9000",
    "今天先不做这个",
    "mach weiter",
    "no, I meant the left one, not the right one",
    "no it is a bug, not a feature",
    "no, the button is blue not green",
    "no, use the red one, not the blue one",
    "I remember that we decided to use MySQL in the old project.",
    "at my last job we decided to use MySQL because it was cheap",
    "The previous project uses MySQL 8, by the way",
    "以前的项目我们决定用 MySQL，因为便宜",
    "前のプロジェクトでは MySQL を使うことに決めました",
    "이전 프로젝트에서는 MySQL을 쓰기로 결정했습니다",
    "im alten Projekt haben wir uns für MySQL entschieden",
    "The bot token is [REDACTED] ok",
    "テストを実行して",
]


@pytest.mark.parametrize("text", LEFT, ids=[str(i) for i in range(len(LEFT))])
def test_left_alone(text: str) -> None:
    assert typed(text) == []


def test_reason_stays_with_its_fact() -> None:
    [candidate] = typed("Prices are integers, never floats. The auditors want every total to be exact")
    assert "auditors" in candidate.body
    assert candidate.description == "Prices are integers, never floats"


def test_an_opening_word_is_taken_off_and_a_ban_is_not() -> None:
    [ban] = typed("stop adding emojis to the changelog")
    [opened] = typed("stop, never edit the fixtures by hand")
    assert ban.description == "stop adding emojis to the changelog"
    assert opened.description == "never edit the fixtures by hand"


def test_two_rules_in_one_message_are_two_memories() -> None:
    first, second = typed(
        "no pushing, I do that myself. And stop ending answers with a recap, in all projects"
    )
    assert (first.scope, second.scope) == ("project", "global")


def test_an_answer_to_options_is_a_decision() -> None:
    window = spoken(
        ("assistant", "Options:\nA) CSV\nB) JSON lines\nC) YAML"),
        ("user", "B. The importer reads line by line, so one object per line"),
    )
    [candidate] = extract(window)
    assert candidate.type == "decision"


def test_only_typed_text_is_looked_at() -> None:
    tool = ToolCall("Read", "{}", "user: never use tabs, remember this")
    window = Window(
        "projects/mill",
        (
            Shown(1, SESSION, Message("a", "a", "tool", "", AT, tool)),
            Shown(2, SESSION, Message("b", "b", "assistant", "I will never use tabs, remember that.", AT)),
            Shown(3, SESSION, Message("c", "c", "user", "never use tabs in this repo", AT), context=True),
        ),
    )
    assert extract(window) == []


def test_a_login_stays_out_of_a_reference() -> None:
    [candidate] = typed("staging is https://stage.example, basic auth is ann / some-words-here")
    assert candidate.body == "staging is https://stage.example"
    assert "some-words-here" not in candidate.quotes[0].text


@pytest.mark.parametrize(
    "remark",
    [
        "And we decided that the shop is hosted on Vercel.",
        "And we decided that the shop is hosted on Vercel. Its previews are free.",
        "The shop moved from Hetzner to Vercel.",
        "I work from Lisbon.",
        "The wiki is at https://wiki.example/shop",
        "另外我们决定把前端部署到 Vercel。",
    ],
    ids=["decision", "two sentences", "change", "identity", "reference", "zh"],
)
def test_a_remark_behind_a_save_is_heard_as_if_it_stood_alone(remark: str) -> None:
    saved, heard = typed(f"Please remember: prices are integer cents. {remark}")
    [alone] = typed(remark)
    assert (saved.body, saved.source) == ("prices are integer cents.", "explicit")
    assert (heard.type, heard.body, heard.source, heard.quotes) == (
        alone.type,
        alone.body,
        "extraction",
        alone.quotes,
    )


def test_relative_days_get_their_date() -> None:
    [candidate] = typed("since last Monday the shop runs on Fly.io")
    assert candidate.body.endswith("(Said on 2026-09-03.)")


def shown_entry(number: int, text: str) -> RelatedEntry:
    return RelatedEntry(number, "project", "entry", text, text)


@pytest.mark.parametrize(
    ("text", "action", "target"),
    [
        ("we moved the ingest queue from Redis Streams to NATS JetStream", "supersede", 2),
        ("the fee is now 4 euros instead of 3 euros", "supersede", 1),
        ("the fee is 5 euros for members", "contradict", 1),
        ("the ingest queue is Redis Streams, by the way", "confirm", 2),
        ("the printer is a Brother HL-2300", "create", None),
    ],
    ids=["moved", "now", "contradiction", "again", "new"],
)
def test_aim_at_shown_entries(text: str, action: str, target: int | None) -> None:
    [candidate] = typed(
        text,
        shown_entry(1, "The fee is 3 euros for members"),
        shown_entry(2, "The ingest queue is Redis Streams"),
    )
    assert (candidate.action, candidate.target) == (action, target)


def test_said_twice_in_one_window_is_told_twice_with_both_quotes() -> None:
    first, again = extract(
        spoken(
            ("user", "no default exports in this repo"), ("user", "again: no default exports in this repo!")
        )
    )
    assert first == again  # the merge absorbs the second, so that it is counted
    assert [quote.n for quote in first.quotes] == [1, 2]


@given(
    st.text(max_size=200),
    st.sampled_from([" never use tabs here. ", " remember: ", " https://a.example is the wiki ", ""]),
)
@settings(max_examples=100)
def test_every_quote_stands_where_it_says(text: str, middle: str) -> None:
    window = spoken(("assistant", text), ("user", f"{text}{middle}{text}"))
    for candidate in extract(window):
        for quote in candidate.quotes:
            assert locate(window.shown[quote.n - 1], quote.text) is not None
