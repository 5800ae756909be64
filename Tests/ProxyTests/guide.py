"""The configurations of the guide, with a test's ports and files in place of the examples."""

import re
from dataclasses import dataclass
from pathlib import Path

from service import ROOT

ARTICLE = ROOT / "Sources/Service/UIFusionServer/UIFusionServer.docc/Proxies.md"


@dataclass
class Places:
    """The ports of a test's proxy and service, and the files of the proxy's certificate."""

    port: int
    upstream: int
    chain: Path
    key: Path
    both: Path


def configuration(language: str) -> str:
    """Returns the article's code block of a language."""
    blocks = re.findall(rf"```{language}\n(.*?)```", ARTICLE.read_text(), re.S)
    assert len(blocks) == 1, f"{ARTICLE.name} has {len(blocks)} blocks of {language}"
    return blocks[0]


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Replaces texts, which must exist: otherwise a test would test nothing."""
    for before, after in changes:
        assert before in text, f"{before!r} is not in:\n{text}"
        text = text.replace(before, after)
    return text


def placed(text: str, *listening: tuple[str, str], places: Places) -> str:
    return changed(text, *listening, ("127.0.0.1:8080", f"127.0.0.1:{places.upstream}"))
