"""Values drawn at random, in fields of a page: shown, sent back untouched, and edited, with Swift as the judge.

The service is the program `hostile`, whose view model `form` draws the values:

    UIFUSION=.build/debug/hostile HOSTILE_SEED=7 Tests/PageTests/run Tests/PageTests/hostile/test_bound_form.py

HOSTILE_SEED is the first seed, and ROUNDS the number of seeds. Dates have three judges: the browser's `Intl`, Foundation
and Python's zoneinfo.
"""

import json
import os
import re
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from random import Random
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from live import button, expect_nothing_waits
from written_page import show

SEED, ROUNDS = int(os.environ.get("HOSTILE_SEED", "1")), int(os.environ.get("ROUNDS", "8"))
ZONES = [
    "Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati", "Australia/Lord_Howe", "Africa/Cairo", "Asia/Kolkata",
    "America/St_Johns", "Pacific/Apia", "UTC", "Africa/Monrovia", "America/Scoresbysund", "Asia/Tehran",
]
SHADES = ["red", "é", "__proto__"]
NUMBERS = ["id", "length", "value", "version", "constructor", "method"]
TEXTS, MOMENTS, DAYS = ["name", "data", "elements"], ["target", "origin"], ["attributes", "index"]
OPTIONAL = {"length", "version", "method", "checked", "data", "origin", "index", "parent"}


def bound(name: str) -> str:
    return f'name="{name}" aria-label="{name}" data-value="entry.{name}"'


def options(values: list, is_optional: bool = False) -> str:
    return "".join(f'<option value="{value}">{value}</option>' for value in ([""] if is_optional else []) + values)


FIELDS = {
    **{name: f'<input type="number" step="any" {bound(name)}>' for name in NUMBERS},
    "action": f'<input type="checkbox" {bound("action")}>',
    "checked": f'<select {bound("checked")}>{options(["true", "false"], True)}</select>',
    "name": f'<input {bound("name")}>', "data": f'<input {bound("data")}>', "elements": f'<textarea {bound("elements")}></textarea>',
    **{name: f'<input type="datetime-local" {bound(name)}>' for name in MOMENTS},
    **{name: f'<input type="date" {bound(name)}>' for name in DAYS},
    "children": f'<select {bound("children")}>{options(SHADES)}</select>',
    "parent": f'<select {bound("parent")}>{options(SHADES, True)}</select>',
    "dataset": "".join(f'<input type="checkbox" value="{shade}" name="dataset" aria-label="{shade}" data-value="entry.dataset">' for shade in SHADES),
    "options": f'<select multiple {bound("options")}>{options([-1, 0, 1, 2, 3, 4, 5])}</select>',
}
FORM = f"""<output data-text="draws"></output><form data-repeat data-input="save({', '.join(f'{name}: ${name}' for name in FIELDS)})">
  {''.join(FIELDS.values())}<button>Save</button></form>"""

READ = """() => Object.fromEntries([...document.querySelectorAll('form [name]')].map((field) => field.name)
  .map((name) => [name, [...document.querySelectorAll(`form [name=${name}]`)]]).map(([name, [field, ...others]]) => [name,
    field.type === 'select-multiple' ? [...field.selectedOptions].map(({ value }) => value)
      : others.length ? [field, ...others].filter(({ checked }) => checked).map(({ value }) => value)
        : field.type === 'checkbox' ? field.checked : field.value]))"""


def clock(moment: datetime, zone: str) -> str | None:
    """What a clock shows, as a field holds it; nothing outside of Python's years."""
    try:
        shown = moment + moment.replace(tzinfo=timezone.utc).astimezone(ZoneInfo(zone)).utcoffset()
    except OverflowError:
        return None
    return shortened(shown.strftime("%Y-%m-%dT%H:%M:%S.").rjust(20, "0") + f"{shown.microsecond // 1000:03}")


def shortened(text: str) -> str:
    """A time as a browser writes it: without zeros at its end."""
    return re.sub(r"(:00)?\.?0*$", "", text)


def moment_of(text: str) -> datetime:
    return datetime.fromisoformat(text.removesuffix("Z"))


def is_shown(name: str, value, text, zone: str) -> bool:
    """Whether a field shows a value of State."""
    if name in ("dataset", "options"):
        return set(text) == {str(one) for one in value}
    if name == "action":
        return text == value
    if value is None:
        return text == ""
    if name in NUMBERS:
        return Decimal(text) == Decimal(str(value))
    if name in ("name", "data"):
        return text == re.sub(r"[\r\n]", "", value)
    if name == "elements":
        return text == re.sub(r"\r\n?", "\n", value)
    if name in DAYS and value < "0001":
        return text == ""  # HTML has no year 0
    if name in MOMENTS:
        return (clock(moment_of(value), zone) or text) == text
    return text == (str(value).lower() if name == "checked" else value)


def edited(random: Random, name: str, zone: str) -> tuple[str, list]:
    """Returns a text for a field, and the values that State may have then."""
    if name in OPTIONAL and random.random() < 0.2:
        return "", [None] + [""] * (name == "data")  # a text that was nil stays nil
    if name in ("id", "length"):
        number = random.choice([0, -128, 127, random.randint(-128, 127)])
        return str(number), [number]
    if name in ("value", "version"):
        text = random.choice(["0.5", "-2.25", "1e10", "1024", "-0", "3.", "7.5e-1"]).rstrip(".")
        return text, [float(text)]
    if name in NUMBERS:
        digits = str(random.randint(1, 10 ** random.randint(1, 30)))
        number = Decimal(random.choice(["", "-"]) + digits + random.choice(["", ".5", ".25"]))
        return f"{number}", [f"{number}"]
    if name in TEXTS:
        text = random.choice(["", " ", "ﬁ", "{x}", "null", "e\u0301", "<b>", "1,5", "👩‍👩‍👧‍👦", "\\u0000"])
        return text, [text] + [None] * (text == "" and name == "data")
    if name in DAYS:
        day = (datetime(1, 1, 1) + timedelta(days=random.randint(0, 3_652_058))).strftime("%Y-%m-%d").rjust(10, "0")
        return day, [day]
    shown = datetime(1900, 1, 1) + timedelta(minutes=random.randint(0, 105_000_000))
    moments = [shown.replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(timezone.utc) for fold in (0, 1)]
    # A time that the clock skips is as much later as the clock is set forward.
    is_skipped = moments[0].astimezone(ZoneInfo(zone)).replace(tzinfo=None) != shown
    return shown.strftime("%Y-%m-%dT%H:%M"), [moment.strftime("%Y-%m-%dT%H:%M:%S.000Z") for moment in (moments[:1] if is_skipped else moments)]


def saved(page: Page, session, count: int, what: str, refusals: list) -> dict:
    """Saves the form; returns the entry of State."""
    button(page, "Save").click()
    try:
        entry = session.reaches(lambda state: state["saves"] == count)["entry"]
        expect_nothing_waits(page)
        return entry
    except AssertionError:
        faults = page.evaluate("[...document.querySelectorAll('form :invalid')].map((field) => `${field.name}: ${field.validationMessage}`)")
        answers = [f"{refusal.text()} to {refusal.request.post_data}" for refusal in refusals]
        raise AssertionError(f"{what} is not saved: {faults}, {page.evaluate(READ)}, {answers}") from None


@pytest.mark.parametrize("seed", range(SEED, SEED + ROUNDS))
def test_a_form_shows_sends_and_changes_what_swift_has(make_context, seed: int):
    random = Random(seed)
    zone = ZONES[seed % len(ZONES)]
    page = make_context(timezone_id=zone).new_page()
    refusals = []
    page.on("response", lambda response: response.ok or refusals.append(response))
    session = show(page, "form", FORM)
    saves = 0
    for draw in range(1, 4):
        session.send({"draw": {"seed": random.getrandbits(53), "zone": zone}})
        expect(page.locator("output")).to_have_text(str(draw))
        state = session.state
        entry = state["entry"]
        shown = page.evaluate(READ)
        wrong = [f"{name} shows {shown[name]!r} for {value!r}" for name, value in entry.items() if not is_shown(name, value, shown[name], zone)]
        if state["clock"] >= "0001" and shortened(state["clock"]) != shown["target"]:
            wrong.append(f"target shows {shown['target']}, Foundation {state['clock']}")
        assert not wrong, f"{zone}: {wrong}"
        saves += 1
        assert saved(page, session, saves, f"what was drawn ({entry})", refusals) == entry
        for name in random.sample([*NUMBERS, *TEXTS, *MOMENTS, *DAYS], 5):
            text, values = edited(random, name, zone)
            page.get_by_label(name, exact=True).fill(text)
            saves += 1
            after = saved(page, session, saves, f"{name} {text!r}", refusals)
            assert after[name] in values, f"{zone}: {name} {text!r} is {after[name]!r}, not {values}"
            assert {**after, name: 0} == {**entry, name: 0}, f"{name} {text!r} changes another member"
            entry = after
