"""The words by which plain contradictions are told from what only looks like one (`opposed.py`)."""

import re

from siltstone.pipeline.merging.likeness import stem
from siltstone.pipeline.words import words

BOUND = re.compile(
    r"(?:after|at|before|during|except|for|if|in|inside|on|once|outside|unless|until|when|whenever|while|with"
    r"|within|without|as long as|as soon as"
    r"|wenn|falls|sobald|solange|außer|bei|beim|auf|im|für|während|bevor|nachdem|ohne|mit|nur"
    r"|si|quand|lorsque|sauf|pour|dans|en|sur|pendant|avant|après|sans|avec"
    r"|cuando|salvo|excepto|para|durante|antes|después|sin|con|se|quando|exceto|em|no|na|sem|com"
    r"|tranne|per|nel|nella|senza|als|wanneer|behalve|voor|op|tijdens"
    r"|если|когда|кроме|для|в|на|при|без|с)\b(?=.)"
    r"|(?:如果|若|当|當|除非|只要|只有|在|对于|對於|もし)|.*(?:场合|の場合|のとき|の時|なら|たら|では|에서는?|하면|이면|때)$"
)
ELIDED = re.compile(
    r"(?:(?:and|but|then|or|und|aber|et|mais|y|pero|e)\s)?(?:allows|blocks|caps|checks|closes|costs|deletes|drops"
    r"|expires|gets|has|holds|keeps|limits|listens|logs|needs|opens|polls|reads|requires|retries|returns|runs"
    r"|sends|serves|sleeps|starts|stays|stops|stores|takes|times|tries|uses|waits|wants|writes|is|are|must|may"
    r"|can|should|will|has|hat|ist|läuft|wartet|est|attend|es|espera)\s"
)
"""A clause that begins with its verb: its subject stands in the clause before."""
CJK_VERBS = re.compile("监听|監聽|使用|设为|設為|设置为|設置為|是|为|為|は|が|の|은|는|이|가")
"""What stands between a subject and its value there, or marks the one; no word of it."""
SAME = tuple(
    frozenset(stem(word) for word in words(alike))
    for alike in (
        "begin begins start starts over above from",
        "keep keeps kept retain retained remain remains stay stays store stored there database held "
        "hold holds",
        "listen listens run runs serve serves bind binds bound answer answers reachable served",
        "need needs require requires required want wants",
        "cost costs",
        "expire expires end ends",
        "läuft lauscht hört liegt auf",
        "bleiben aufbewahrt gespeichert werden",
        "écoute tourne est sur",
        "escucha corre está es usa",
        "guardan conservan mantienen se",
    )
)
"""Verbs by which one thing is said of one subject; a clause may have one where the other has another."""
DEMANDED = frozenset(map(stem, words("default demand mandatory minimum minimal must need require standard")))
"""What is said of the one version that counts, not of a numbered thing: "Node 18 is required"."""
LEADING = words(
    "about above after at before below between by every from in least less more most of on over per "
    "than to under until up with within ab auf bei bis nach unter über von vor à de en par sur a de en hasta"
)
"""Directly before a number they make it a measure, not a name."""
ORDINAL = ("第", "제")
"""Directly before a number they make it the name of a thing."""
DATING = [["in"], ["on"], ["since"], ["am"], ["seit"], ["le"], ["el"], ["en"]]
VERBS = words(
    "are be can cost costs expire expires get gets had has have is keep keeps last lasts listen listens "
    "may must need needs run runs serve serves set shall should start starts stay stays take takes to use "
    "uses wait waits was were will bleiben bleibt hat ist läuft lauscht sind est sont es son usa écoute"
)

_ROLES = words(
    "branch bundle broker charset ci cloud contact currency database db directory domain editor "
    "encoding endpoint engine folder font host hosting hostname lead license licence locale "
    "maintainer name owner password path platform provider queue region registry repository reviewer "
    "scheduler separator shell store storage theme timezone url username"
)
ROLES = frozenset(map(stem, _ROLES))
"""Heads of a subject that has one value, also in a repository of several languages."""
CJK_ROLES = re.compile("(?:分支|数据库|資料庫|区域|區域|时区|時區|队列|平台|主机|名称|リージョン|ブランチ)$")
ADJECTIVES = words(
    "a an at bad behind big broken dead down empty external fast fine flaky full good green in "
    "internal legacy live local mandatory missing new not off old on optional our private public "
    "ready red remote safe shared slow small stable unsafe up"
)
"""With one of them in it, or first, a value tells what a thing is like or where, not which it is."""
FAMILIES = tuple(
    frozenset(map(stem, words(family)))
    for family in (
        "npm pnpm yarn bun",
        "pip pipenv poetry uv pdm conda",
        "tabs spaces",
        "jest vitest mocha jasmine",
        "unittest pytest",
        "black yapf autopep8",
        "maven gradle bazel",
        "mysql mariadb postgres postgresql sqlite",
        "merge rebase squash",
    )
)
"""Of these one is used for one purpose."""
