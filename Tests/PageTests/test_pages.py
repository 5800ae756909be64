"""The main cases of every page, with elements found as a user finds them: by role and name."""

import re

import pytest
from playwright.sync_api import Page, expect

from live import button, clicking_once_enabled, open_live, status


def number(value: int) -> re.Pattern:
    """Returns a pattern of a number, with either minus sign."""
    return re.compile(rf"^\s*{'[-−]' if value < 0 else ''}{abs(value)}\s*$")


@pytest.mark.core("counter.html", "counter-sync.html")
@pytest.mark.parametrize("name", ["counter", "counter-sync"])
def test_a_counter_counts_up_and_down_and_is_reset(page: Page, name: str):
    open_live(page, f"/{name}.html")
    value = status(page, "Value")
    expect(value).to_have_text(number(0))
    button(page, "Increase").click()
    expect(value).to_have_text(number(1))
    button(page, "Decrease").click()
    expect(value).to_have_text(number(0))
    button(page, "Decrease").click()
    expect(value).to_have_text(number(-1))
    button(page, "Reset").click()
    expect(value).to_have_text(number(0))


@pytest.mark.parametrize("name", ["counter", "counter-sync"])
def test_a_counter_shows_its_value_in_an_alert_until_it_is_closed(page: Page, name: str):
    open_live(page, f"/{name}.html")
    for _ in range(2):
        button(page, "Show").click()
        alert = page.get_by_role("dialog", name="알림")
        expect(alert).to_be_visible()
        button(alert, "닫기").click()
        expect(alert).to_be_hidden()


def test_the_counter_shows_which_button_is_busy_and_stays_in_its_range(page: Page):
    session = open_live(page, "/counter.html")
    session.send(*["increase"] * 11)  # so that the button is busy for seconds
    expect(page.locator("[aria-busy=true]")).to_have_text(["Increase"])
    session.reaches(lambda state: state["activeAlert"])
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    alert = page.get_by_role("dialog", name="오류")
    expect(alert).to_contain_text("값이 허용 범위를 벗어났습니다 (현재: 11, 범위: -10~10)")
    button(alert, "확인").click()
    expect(alert).to_be_hidden()
    expect(status(page, "Value")).to_have_text(number(10))
    session.reaches(lambda state: state["activeAlert"] is None)


@pytest.mark.core("counter-reducer.html")
def test_counter_reducer_fetches_a_number_and_can_cancel(page: Page):
    session = open_live(page, "/counter-reducer.html")
    count = status(page, "Count")
    button(page, "Increment").click()
    expect(count).to_have_text(number(1))
    button(page, "Decrement").click()
    expect(count).to_have_text(number(0))
    with clicking_once_enabled(page, "cancelFetch"):
        button(page, "Fetch").click()
    assert not session.state["isLoading"]
    expect(count).to_have_text(number(0))
    button(page, "Fetch").click()
    fetched = session.reaches(lambda state: state["count"] > 0)
    expect(count).to_have_text(number(fetched["count"]))


@pytest.mark.core("counter-reactor.html")
def test_counter_reactor_counts_slowly_and_shows_a_message(page: Page):
    open_live(page, "/counter-reactor.html")
    button(page, "Increment").click()
    expect(status(page, "Count")).to_have_text(number(1))
    expect(status(page, "Message")).to_contain_text("카운트가 1로 업데이트되었습니다")
    button(page, "Increment slowly").click()
    expect(status(page, "Count")).to_have_text(number(2))
    expect(status(page, "Message")).to_contain_text("increased!")
    button(page, "Decrement").click()
    expect(status(page, "Count")).to_have_text(number(1))
    button(page, "Reset").click()
    expect(status(page, "Count")).to_have_text(number(0))


@pytest.mark.core("fan-out.html")
def test_fan_out_changes_name_label_colour_and_size_with_one_tap(page: Page):
    session = open_live(page, "/fan-out.html")
    assert session.state["buttonText"] == ""
    page.get_by_role("button").click()
    state = session.reaches(lambda state: state["count"] == 1)
    the_button = button(page, "Button Tapped: 1")
    expect(the_button).to_be_visible()
    expect(status(page, "Label")).to_have_text("Button tapped 1")
    assert state["frame"] == {"width": 200, "height": 80}
    box_is(page, state)
    the_button.click()
    box_is(page, session.reaches(lambda state: state["count"] == 2))


def box_is(page: Page, state: dict) -> None:
    """Expects an element with the colour and the size in State."""
    page.wait_for_function(
        """({ color, frame }) => {
          const probe = document.createElement('i');
          probe.style.color = color;
          document.body.append(probe);
          const wanted = getComputedStyle(probe).color;
          probe.remove();
          return [...document.querySelectorAll('[data-session] *')].some((element) => {
            const { width, height } = element.getBoundingClientRect();
            return Math.abs(width - frame.width) < 1 && Math.abs(height - frame.height) < 1
              && getComputedStyle(element).backgroundColor === wanted;
          });
        }""",
        arg=state,
    )


@pytest.mark.core("calculator.html")
def test_the_calculator_evaluates_from_left_to_right(page: Page):
    open_live(page, "/calculator.html")
    for key in "2+3×4=":
        button(page, key).click()
    expect(status(page, "Display")).to_have_text("20")
    button(page, "C").click()
    expect(status(page, "Display")).to_have_text("0")
    for key in "9−4=":
        button(page, key).click()
    expect(status(page, "Display")).to_have_text("5")


def test_the_calculator_does_not_divide_by_zero(page: Page):
    session = open_live(page, "/calculator.html")
    for key in "8÷0=":
        button(page, key).click()
    alert = page.get_by_role("dialog").filter(has_text="0으로 나눌 수 없습니다")
    expect(alert).to_be_visible()
    page.keyboard.press("Escape")
    expect(alert).to_be_hidden()
    session.reaches(lambda state: state["activeAlert"] is None)
    expect(status(page, "Display")).to_have_text("0")


def test_the_calculators_error_goes_with_the_next_key_and_its_bar_begins_anew_with_each(page: Page):
    session = open_live(page, "/calculator.html")
    for key in "8÷0=":
        button(page, key).click()
    alert = page.get_by_role("dialog").filter(has_text="0으로 나눌 수 없습니다")
    expect(alert).to_be_visible()
    page.keyboard.press("7")
    expect(alert).to_be_hidden()
    session.reaches(lambda state: state["activeAlert"] is None)
    for key in "7+1=":
        button(page, key).click()
    expect(status(page, "Display")).to_have_text("8")
    fuse = page.locator(".fuse.lit")
    name = "(element) => getComputedStyle(element, '::before').animationName"
    before = fuse.evaluate(name)
    button(page, "5").click()
    expect(status(page, "Display")).to_have_text("5")
    assert fuse.evaluate(name) != before


@pytest.mark.core("search.html")
def test_search_finds_what_was_typed_and_clears_it(page: Page):
    open_live(page, "/search.html")
    box = page.get_by_role("searchbox", name="Search", exact=True)
    box.press_sequentially("abc", delay=30)
    results = page.get_by_role("list", name="Results").get_by_role("listitem")
    expect(results).to_have_text([re.compile(rf"abc 결과 {place}") for place in range(1, 6)])
    expect(page.get_by_text("5 results", exact=True)).to_be_visible()
    button(page, "Clear").click()
    expect(results).to_have_count(0)
    expect(box).to_have_value("")


def test_search_tells_an_old_answer_from_a_new_one_and_what_it_has_dropped(page: Page, proxy):
    session = open_live(page, "/search.html")
    box = page.get_by_role("searchbox", name="Search", exact=True)
    box.fill("abc")
    expect(page.get_by_text("5 results", exact=True)).to_be_visible()
    # A part of the text before: its results have the new one, too.
    page.evaluate("""() => { window.said = [];
      new MutationObserver(() => said.push(document.querySelector('.sheet [role=status]').innerText.trim()))
        .observe(document.querySelector('.sheet'), { subtree: true, childList: true, characterData: true, attributes: true }); }""")
    box.fill("ab")
    session.reaches(lambda state: state["results"][0] == "ab 결과 1")
    expect(page.get_by_role("listitem").filter(has_text="ab 결과 1")).to_be_visible()
    expect(page.get_by_text("5 results", exact=True)).to_be_visible()
    said = page.evaluate("said")
    assert "Searching for “ab” …" in said[:said.index("5 results", said.index("Searching for “ab” …"))]
    assert "5 results" not in said[said.index("Searching for “ab” …"):said.index("5 results", said.index("Searching for “ab” …"))]
    dropped = page.get_by_text("Dropped: the search for “abx”")
    expect(dropped).to_be_hidden()
    with page.expect_response("**/inputs"):
        box.fill("abx")
    box.fill("aby")
    expect(dropped).to_be_visible()
    button(page, "Clear").click()
    expect(dropped).to_be_hidden()


@pytest.mark.core("countdown.html")
def test_the_countdown_counts_down_from_what_was_set(page: Page):
    open_live(page, "/countdown.html")
    remaining = page.get_by_role("timer", name="Remaining")
    expect(remaining).to_contain_text("10")
    seconds = page.get_by_role("spinbutton", name="Seconds")
    seconds.fill("300")
    seconds.press("Enter")
    expect(remaining).to_contain_text("300")
    button(page, "Start").click()
    expect(remaining).not_to_contain_text("300")
    button(page, "Pause").click()
    button(page, "Reset").click()
    expect(remaining).to_contain_text("300")
    seconds.fill("2")
    seconds.press("Enter")
    button(page, "Start").click()
    expect(remaining).to_contain_text("0")


@pytest.mark.core("auto-refresh.html")
def test_auto_refresh_shows_other_data_at_each_refresh(page: Page):
    session = open_live(page, "/auto-refresh.html")
    button(page, "Refresh").click()
    data = page.get_by_role("list", name="Data").get_by_role("listitem")
    first = session.reaches(lambda state: state["data"] and not state["isLoading"])["data"]
    expect(data).to_have_text(first)
    button(page, "Start").click()
    expect(status(page, "Count")).to_have_text(re.compile("[1-9]"))
    second = session.reaches(lambda state: state["data"] != first and not state["isLoading"])["data"]
    expect(data).to_have_text(second)
    button(page, "Stop").click()
    session.reaches(lambda state: not state["isRunning"])


def test_auto_refresh_counts_the_seconds_to_the_next_one_where_it_was_started(page: Page):
    session = open_live(page, "/auto-refresh.html")
    button(page, "Start").click()
    seconds = page.locator(".until")
    expect(seconds).to_be_visible()
    assert seconds.evaluate("(element) => element.getAnimations()[0].effect.getTiming().duration") == 5_000
    seconds.evaluate("(element) => { element.getAnimations()[0].currentTime = 3_100; }")
    assert seconds.evaluate("(element) => getComputedStyle(element).getPropertyValue('--seconds')") == "2"
    other = page.context.new_page()
    open_live(other, f"/auto-refresh.html?session={session.id}")
    # It does not know when the service began to count.
    expect(other.get_by_text("within five seconds", exact=True)).to_be_visible()
    button(page, "Stop").click()
    expect(seconds).to_be_hidden()


@pytest.mark.core("multi-timer.html")
def test_each_of_four_timers_starts_and_stops(page: Page):
    session = open_live(page, "/multi-timer.html")
    button(page, "Start all").click()
    for name in "ABCD":
        expect(page.get_by_role("group", name=f"Timer {name}").get_by_role("status")).not_to_have_text("0")
    button(page, "Stop all").click()
    session.reaches(lambda state: not any(timer["isRunning"] for timer in state["timers"].values()))
    group = page.get_by_role("group", name="Timer D")
    button(group, "Start").click()
    session.reaches(lambda state: [name for name, timer in state["timers"].items() if timer["isRunning"]] == ["D"])
    button(group, "Stop").click()
    session.reaches(lambda state: not state["timers"]["D"]["isRunning"])
