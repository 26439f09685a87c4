"""Whether a request to remember says something: two words do, or one that is more than a filler.

The seeds' eight letters ("Body ≥8 chars") left out "remember: use tabs" in silence. What they were for holds:
"remember this: ok" says nothing.
"""

from siltstone.pipeline.words import asian, words
from siltstone.store.late import LatePattern

MIN_LETTERS = 8
"""Letters with which a text that no colon or "that" announces says something; a CJK letter counts for two."""

_WORD = LatePattern(r"[^\W_][\w.+#'/-]*")
_FILLERS = words(
    "this that it these those them him her me us you i we they one ones thing things stuff all both please "
    "pls "
    "thanks thank too also always ever never not no yes yeah ok okay sure right correctly well good done "
    "later "
    "soon now then here there again so and or but if as for to of in on at by with the a an my your our "
    "their "
    "its his everything anything something nothing someone somebody everybody what which who how why when "
    "where "
    "bitte danke das dies es den die der ein eine mir dir uns und oder ja nein gut nicht immer esto eso lo "
    "la "
    "el los las un una por favor gracias sí si y o ça cela ceci le les une merci oui non et ou isso questo"
)
_ASIAN_FILLERS = LatePattern(
    r"(?:[这這那]|[个個件条條点點些事]|一下|了|吧|哦|喔|啊|呢|的|好|谢谢|謝謝|[请請]|ね|よ|な|です|ます|これ|それ|あれ|を|は|が"
    r"|の|も|ください|下さい|이거|그거|이것|그것|저것|이걸|그걸|을|를|은|는|이|가|도|요|줘|주세요|꼭|\W|\d)*"
)


def says(text: str, told: bool) -> bool:
    """Whether something is left of the text without its fillers. `told`: a colon or "that" announces it."""
    if asian(text):
        # Of a word that tells something one letter is enough to know: the pattern takes long to compile.
        if any(char.isalpha() and char not in _ASIAN_FILLERS.source for char in text):
            return True
        return _ASIAN_FILLERS.fullmatch(text) is None
    said = _WORD.findall(text.casefold())
    telling = [word for word in said if word not in _FILLERS]
    if told:
        return bool(telling)
    length = sum(map(str.isalnum, text))
    return length >= MIN_LETTERS or (len(said) >= 2 and bool(telling) and said[0] not in _FILLERS)
