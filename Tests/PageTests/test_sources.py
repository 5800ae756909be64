"""The sources of these tests: nothing waits past the browser, and the core of the tests leaves no promise out."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import PAGES, ROOT

pytestmark = pytest.mark.core

SOURCES = sorted(path for folder in ("BrowserTests", "PageTests", "ProxyTests") for path in (ROOT / "Tests" / folder).rglob("*.py"))

# Modules with which a test could block its thread, and those sources that need them to make what `waiting` waits for.
BLOCKING = {"asyncio", "concurrent", "http.client", "http.server", "multiprocessing", "queue", "select", "selectors",
            "socket", "socketserver", "ssl", "subprocess", "threading", "urllib.request"}
MAKERS = {"drivers": {"socket", "subprocess", "urllib.request"}, "http_session": {"urllib.request"}, "proxy": {"asyncio", "threading"}, "service": {"subprocess"}, "test_front_page": {"subprocess"},
          "proxies": {"socket", "subprocess"}, "test_doctor": {"subprocess"}}
# Methods that block, whatever module has made the object.
CALLS = {"acquire", "communicate", "readline", "recv", "result", "select", "serve_forever", "sleep", "urlopen", "wait"}


def blocking_places(source: str, may_import: set[str] = frozenset()) -> Iterator[str]:
    """Yields the places at which a source waits without letting Playwright work."""
    for node in outside_coroutines(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found = [name.name for name in names if name.name == "time" or blocks(name.name) - may_import]
            case ast.ImportFrom(module="time", names=names):
                found = [f"time.{name.name}" for name in names if name.name not in ("monotonic", "time")]
            case ast.ImportFrom(module=module, names=names):
                found = [f"{module}.{name.name}" for name in names if (blocks(module) | blocks(f"{module}.{name.name}")) - may_import]
            case ast.While():
                found = ["while: use eventually"]
            case ast.For() if {"wait_for_timeout", "pause"} & called(node) and any(isinstance(part, ast.Break | ast.Return) for part in ast.walk(node)):
                found = ["a loop that polls: use eventually"]
            case ast.Call(func=ast.Attribute(value=ast.Name("subprocess"), attr=name)) if name != "Popen":
                found = [f"{name}: use run"]
            case ast.Call(func=ast.Attribute(attr=name)) if name in CALLS:
                found = [f"{name}: use awaited"]
            case ast.Call(func=ast.Attribute(attr="join"), args=[] | [ast.Constant(value=int() | float())]):
                found = ["join: use awaited"]
            case _:
                found = []
        yield from (f"line {node.lineno}: {text}" for text in found)


def outside_coroutines(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes of a source, except those of its coroutines, which wait on a loop of their own."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.AsyncFunctionDef):
            yield node
            yield from outside_coroutines(node)


def blocks(module: str | None) -> set[str]:
    return {name for name in BLOCKING if module == name or (module or "").startswith(f"{name}.")}


def called(tree: ast.AST) -> set[str]:
    functions = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "") for function in functions}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_nothing_waits_past_the_browser(path: Path):
    if path.stem == "waiting":
        return
    assert list(blocking_places(path.read_text(), MAKERS.get(path.stem, set()))) == []


@pytest.mark.parametrize("source", [
    "import time", "import time as clock", "from time import sleep", "from urllib.request import urlopen", "import urllib.request",
    "from urllib import request", "from http import server", "from http.server import HTTPServer", "import queue",
    "from concurrent.futures import ThreadPoolExecutor", "import json, threading",
    "while not done():\n  pass", "def test():\n  with a:\n    while True:\n      page.click()",
    "for _ in range(9):\n  if done: break\n  page.wait_for_timeout(50)", "for _ in range(9):\n  if done: return\n  pause(0.1)",
    "service.process.wait()", "subprocess.run(command)", "assert answers.future.result(3)", "thread.join()", "thread.join(5)", "[line := stream.readline()]",
])
def test_a_source_that_waits_past_the_browser_is_found(source: str):
    assert list(blocking_places(source))


@pytest.mark.parametrize("source", [
    "from time import monotonic, time", "from urllib.parse import quote", "awaited(process.wait, 10)", "', '.join(words)",
    "for _ in range(3):\n  page.wait_for_timeout(50)", "async def serve():\n  while True: await sleep()", "eventually(lambda: held)",
    "expect(page).to_have_url(url)",
])
def test_a_source_that_lets_the_browser_work_is_accepted(source: str):
    assert list(blocking_places(source)) == []


ARTICLES = ROOT / "Sources/Service/UIFusionServer/UIFusionServer.docc"
CORE = {path.stem: path for path in SOURCES if path.parent.name == "PageTests" and path.stem.startswith("test_")}


def attributes(article: str) -> set[str]:
    """Returns the attributes of an article; a prefix stands for those whose rest the page's author chooses."""
    found = re.findall(r"\bdata-[a-z-]*[a-z]", article)
    return {re.sub(r"^(data-(attr|behavior|class|prop|style)-).*", r"\1", name) for name in found} - {"data-style"}


def promises(article: str) -> set[str]:
    """Returns the sections of an article, and the promises with which the items of a list begin."""
    return {*re.findall(r"^## (.*)", article, re.M), *re.findall(r"^- \*\*(.*?)[.:]?\*\*", article, re.M)} - {"Built-in behaviour"}


def held(source: str) -> Iterator[tuple[str, str]]:
    """Yields the names that the core tests of a source hold, each with its test."""
    for test in ast.walk(ast.parse(source)):
        for mark in [part for decorator in getattr(test, "decorator_list", []) for part in ast.walk(decorator)]:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.core":
                yield from ((argument.value, ast.get_source_segment(source, test)) for argument in mark.args)


def promised() -> set[str]:
    bindings, front_end = ((ARTICLES / f"{name}.md").read_text() for name in ("Bindings", "FrontEnd"))
    return attributes(bindings) | promises(front_end) | set(PAGES)


def test_the_core_holds_each_page_each_attribute_and_each_promise():
    names = {name for path in CORE.values() for name, _ in held(path.read_text())}
    assert promised() - names == set(), "no core test holds this: mark one with pytest.mark.core"
    assert names - promised() == set(), "a core test holds what is not promised"


@pytest.mark.parametrize("path", CORE.values(), ids=CORE)
def test_a_core_test_uses_what_it_holds(path: Path):
    source = path.read_text()
    for name, test in held(source):
        if name.startswith("data-"):
            shown = [(ROOT / "Public" / page).read_text() for page in PAGES if f"/{page}" in test]
            in_script = re.sub(r"-(\w)", lambda letter: letter[1].upper(), name.removeprefix("data-"))
            assert any(name in text for text in [source, *shown]) or f"dataset.{in_script}" in source, f"{name} is not in the test"


def test_promises_and_attributes_are_found_in_an_article():
    article = "## One\n- `data-attr-href`: …\n- `data-keys-within` **not this**\n- **It works.** Always.\n- **It shows** all"
    assert attributes(article) == {"data-attr-", "data-keys-within"}
    assert promises(article) == {"One", "It works", "It shows"}
    assert [name for name, _ in held("@parametrize('x', [param(0, marks=pytest.mark.core('a')), 1])\n@pytest.mark.core('b')\ndef test(x): pass\n@pytest.mark.core\ndef other(): pass")] == ["a", "b"]
