"""Looking for words in a text without regard to case."""


def fold(text: str) -> str:
    """The text so that whatever re.I takes for the same is the same; its length may change."""
    if text.isascii():
        return text.lower()
    # The dot above by its number: by its name, compiling this would load `unicodedata`.
    return text.casefold().replace("i\u0307", "i").replace("ı", "i")


def held(folded: str, words: str) -> list[str]:
    """Those of the words (folded, parted by commas) that stand in a folded text: for asking its pieces for no
    others."""
    return [word for word in words.split(",") if word in folded]
