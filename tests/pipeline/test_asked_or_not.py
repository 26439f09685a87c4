"""What is asked to be kept, and what is not to be, in each language of the rules (docs/seeds.md A28)."""

import pytest

from siltstone.pipeline import hearing
from siltstone.pipeline.explicit import find_refusals, find_saves

NOT_TO = """
    en: Under no circumstances remember that gate 5 is open
    en: by no means remember this: gate 5 is open
    en: It's not necessary to remember this: gate 5 is open
    en: no need to remember this: gate 5 is open
    en: there's no reason to remember this: gate 5 is open
    en: I wouldn't remember that gate 5 is open
    en: not worth remembering: gate 5 is open
    en: You needn't remember this: gate 5 is open
    en: you don't have to keep this in mind: gate 5 is open
    en: Don't keep in mind that gate 5 is open
    en: Don't you dare remember this: gate 5 is open
    en: I don't want you to remember this: gate 5 is open
    en: I do not think you should remember this: gate 5 is open
    en: I'd rather you didn't remember this: gate 5 is open
    en: I would prefer you not remember this: gate 5 is open
    en: do not make a note of this: gate 5 is open
    en: please avoid remembering this: gate 5 is open
    en: Refrain from remembering: gate 5 is open
    en: Please remember none of this: gate 5 is open
    en: remember nothing of this: gate 5 is open
    en: remember not: gate 5 is open
    en: please don't remember that I left gate 5 open
    en: forget that I said gate 5 is open
    en: please forget this: gate 5 is open
    en: please forget that the gate is open
    en: don't save this to memory: gate 5 is open
    de: Merk dir das nicht: Tor 5 ist offen
    de: Merk dir bloß nicht, dass Tor 5 offen ist
    de: Merk dir ja nicht, dass Tor 5 offen ist
    de: Merke dir auf keinen Fall, dass Tor 5 offen ist
    de: Merk dir unter keinen Umständen: Tor 5 ist offen
    de: Merk dir niemals mein Passwort für Tor 7
    de: Merk dir diesen Quatsch bitte nicht: Tor 5 ist offen
    de: Merk es dir nicht: Tor 5 ist offen
    de: Merken Sie sich das bitte nicht: Tor 5 ist offen
    de: bitte nicht merken: Tor 5 ist offen
    de: Das brauchst du dir nicht zu merken: Tor 5 ist offen
    de: Du musst dir nicht merken, dass Tor 5 offen ist
    de: Es ist nicht nötig, dir das zu merken: Tor 5 ist offen
    de: Speichere das nicht: Tor 5 ist offen
    de: Vergiss, dass ich gesagt habe, Tor 5 sei offen
    de: Vergiss das bitte: Tor 5 ist offen
    es: No recuerdes que la puerta está abierta
    es: No te acuerdes de esto: la puerta está abierta
    es: Nunca recuerdes que la puerta está abierta
    es: No hace falta que recuerdes esto: la puerta está abierta
    es: No es necesario recordar esto: la puerta está abierta
    es: No guardes esto: la puerta está abierta
    es: Olvida que la puerta está abierta
    fr: Ne retiens pas que la porte est ouverte
    fr: Ne te souviens pas de ceci : la porte est ouverte
    fr: Surtout ne retiens jamais que la porte est ouverte
    fr: Inutile de retenir que la porte est ouverte
    fr: Pas besoin de retenir que la porte est ouverte
    fr: Tu n'as pas besoin de retenir ceci : la porte est ouverte
    fr: Il ne faut pas retenir ceci : la porte est ouverte
    fr: Oublie que la porte est ouverte
    zh: 不用记住：五号门开着
    zh: 请不要记住五号门开着
    zh: 别记住这个：五号门开着
    zh: 没有必要记住：五号门开着
    zh: 你不需要记住五号门开着
    zh: 不必記住：五號門開著
    zh: 用不着记住：五号门开着
    zh: 请勿记住：五号门开着
    zh: 忘了吧，五号门开着
    ja: 覚えなくていい：五番ゲートは開いている
    ja: 覚えないでください：五番ゲートは開いている
    ja: 覚えておく必要はありません：五番ゲートは開いている
    ja: 覚えておかなくていいです：五番ゲートは開いている
    ja: メモする必要はない：五番ゲートは開いている
    ja: 五番ゲートが開いていることは忘れて
    ko: 기억하지 마: 5번 문은 열려 있다
    ko: 기억해 두지 마세요: 5번 문은 열려 있다
    ko: 기억하지 않아도 돼: 5번 문은 열려 있다
    ko: 기억할 필요 없어: 5번 문은 열려 있다
    ko: 기억 안 해도 돼: 5번 문은 열려 있다
    ko: 기억하면 안 돼: 5번 문은 열려 있다
    ko: 이건 잊어버려: 5번 문은 열려 있다
"""
TO_KEEP = """
    en: don't forget: the API port is 8443 | the API port is 8443
    en: never forget that gate 5 is open | gate 5 is open
    en: please do not forget that Friday is a deploy freeze | Friday is a deploy freeze
    en: remember not to push to main | not to push to main
    en: remember: do not push to main | do not push to main
    en: Remember: do not save it in localStorage | do not save it in localStorage
    en: please remember: never log these values | never log these values
    en: remember that you should never store this in the repo | you should never store this in the repo
    en: note to self: gate 5 is open | gate 5 is open
    en: remember, we use spaces in yaml | we use spaces in yaml
    de: nicht vergessen: Tests brauchen Redis | Tests brauchen Redis
    de: Vergiss nicht, dass der Port 8443 ist | der Port 8443 ist
    de: Merk dir: nie direkt auf main pushen | nie direkt auf main pushen
    de: Merk dir, dass wir nicht auf main pushen | wir nicht auf main pushen
    de: merk dir: speichere das nicht in Git | speichere das nicht in Git
    de: Merke: Releases sind dienstags | Releases sind dienstags
    es: No olvides que la puerta está abierta | la puerta está abierta
    es: Recuerda: no guardes los tokens en disco | no guardes los tokens en disco
    es: Recuerda que no usamos tabs | no usamos tabs
    fr: N'oublie pas que la porte est ouverte | la porte est ouverte
    fr: N'oublie jamais que les prix sont en centimes | les prix sont en centimes
    fr: Souviens-toi de ne pas utiliser de tabulations | ne pas utiliser de tabulations
    fr: Retiens bien : la porte est ouverte | la porte est ouverte
    zh: 别忘了：测试需要先启动服务 | 测试需要先启动服务
    zh: 请记住：不要用制表符 | 不要用制表符
    zh: 请记住不要保存临时文件到仓库 | 不要保存临时文件到仓库
    zh: 记住，不要记录密码到日志 | 不要记录密码到日志
    ja: 忘れないで：テストにはredisが必要 | テストにはredisが必要
    ja: 覚えておいて：一時ファイルは保存しないで | 一時ファイルは保存しないで
    ja: ログを保存しないでください、覚えておいて | ログを保存しないでください
    ja: 覚えといて：五番ゲートは開いている | 五番ゲートは開いている
    ko: 잊지 마: 테스트에는 redis가 필요해 | 테스트에는 redis가 필요해
    ko: 기억해줘: 로그를 저장하지 마 | 로그를 저장하지 마
"""
SHORT = """
    en: please remember: use tabs | use tabs
    en: remember: use pnpm | use pnpm
    en: remember: tabs | tabs
    en: remember use uv | use uv
    en: remember: use uv. I work from Lisbon. | use uv.
    de: merk dir: nie npm | nie npm
    es: Recuerda: usa tabs | usa tabs
    es: A partir de ahora usa ruff | usa ruff
    zh: 请记住：用 pnpm | 用 pnpm
    zh: 以后请用 ruff | 用 ruff
    zh: 记住用 pnpm | 用 pnpm
    ja: 覚えておいて：pnpmで | pnpmで
    ko: 기억해줘: 탭만 | 탭만
"""
NOTHING_SAID = """
    en: remember: ok
    en: please remember: this
    en: remember this: later
    en: from now on, please
    de: merk dir: das bitte
    zh: 记住：这个吧
    ja: 覚えておいて：これね
    ko: 기억해줘: 이거
"""


def lines(table: str) -> list[str]:
    return [line.strip().partition(": ")[2] for line in table.strip().split("\n")]


def pairs(table: str) -> list[tuple[str, str]]:
    parted = (line.partition(" | ") for line in lines(table))
    return [(text, body) for text, _, body in parted]


@pytest.mark.parametrize("text", lines(NOT_TO))
def test_what_is_not_to_be_kept(text: str) -> None:
    assert find_saves(text) == []
    assert [text[one.start : one.end] for one in find_refusals(text)] == [text]
    assert hearing.kept(text) == ""


@pytest.mark.parametrize("text", [text for text in lines(NOT_TO) if ":" in text or "：" in text])
def test_what_follows_a_colon_takes_nothing_before_it_along(text: str) -> None:
    assert hearing.kept(f"We deploy from main. {text}").strip() == "We deploy from main."


@pytest.mark.parametrize(("text", "body"), [*pairs(TO_KEEP), *pairs(SHORT)])
def test_what_is_to_be_kept(text: str, body: str) -> None:
    assert [save.body for save in find_saves(text)] == [body]
    assert find_refusals(text) == []
    assert next(said for _, said in hearing.announced("user", text)).startswith(body)


@pytest.mark.parametrize("text", lines(NOTHING_SAID))
def test_what_says_nothing(text: str) -> None:
    assert not any(save.body for save in find_saves(text))


@pytest.mark.parametrize(
    "text",
    [
        "特别记住：所有价格都用整数分",
        "I can't remember what the port is",
        "the login form must never save this in a cookie",
    ],
    ids=["zh-especially", "cannot", "of-a-program"],
)
def test_no_word_to_the_agent_is_no_refusal(text: str) -> None:
    assert find_refusals(text) == []


def test_a_clause_that_is_not_to_be_kept_takes_nothing_before_it_along() -> None:
    text = "We use pnpm. Please don't remember that I was late."
    assert [text[one.start : one.end] for one in find_refusals(text)] == [
        "Please don't remember that I was late."
    ]
