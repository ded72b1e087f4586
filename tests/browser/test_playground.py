"""Somebody asks, edits and shares, with what they have: a mouse, a keyboard, a phone, the dark."""

import re

import pytest
from playground import NARROW, WIDE, Page, serious, wait

pytestmark = pytest.mark.browser

ASKED = {
    "stories": {"story": "Mary moved to the hall.", "question": "Where is Mary?"},
    "translation": {"text": "a b c d"},
    "sequence": {"text": "10110011 01010101"},
    "writing": {"text": "abc"},
    "points": {"points": "0.1,0.2\n0.9,0.1\n0.5,0.8"},
    "facts": {"question": "who directed Alien?"},
    "documents": {"question": "what does a bee do?"},
    "caption": {},
    "picture": {"question": "is the red object on the top?"},
}
"""What is typed to each kind."""
SHOWN = {
    "stories": ".heat tbody tr",
    "translation": ".heat.wide tbody tr",
    "sequence": ".heat tbody tr",
    "writing": ".written b",
    "points": ".points line.chosen",
    "facts": ".heat .relation",
    "documents": ".found mark",
    "caption": ".regions canvas",
    "picture": ".regions canvas",
}
"""By what each kind's evidence is known."""
LATE = """
const really = window.fetch; let number = 0; window.shown = [];
window.fetch = async (...given) => {
  const late = number++ === 0;
  const came = await really(...given);
  if (late) await new Promise((then) => setTimeout(then, 400));
  return came;
};
new MutationObserver(() => window.shown.push(document.getElementById('answer').textContent))
  .observe(document.getElementById('answer'), {childList: true});
"""
"""The reply to the first question comes after the second was typed."""
SHIFTS = """
let sum = 0;
const seen = new PerformanceObserver(() => {});
seen.observe({type: 'layout-shift', buffered: true});
for (const one of seen.takeRecords()) if (!one.hadRecentInput) sum += one.value;
return sum;
"""


@pytest.mark.parametrize("name", ASKED)
def test_it_is_asked_and_edited_and_shared(page: Page, name):
    page.open(name)
    for part, text in ASKED[name].items():
        page.write(part, text)
    wait(lambda: page.all(SHOWN[name]), SHOWN[name])
    there, shared = page.text("#evidence"), page.url
    page.open("stories" if name != "stories" else "facts")
    page.open(shared.partition("#")[2])
    for part, text in ASKED[name].items():
        assert page.one(f"#field-{part}").get_attribute("value") == text
    assert page.text("#evidence") == there


@pytest.mark.parametrize("name", ASKED)
def test_it_fits_and_can_be_read_by_all(page: Page, axe, name):
    for size in (WIDE, NARROW):
        page.open(name, size)
        assert page.run("return document.documentElement.scrollWidth") <= size[0]
        assert page.run(SHIFTS) <= 0.1
        for mode in ("light", "dark"):
            page.look(size, mode)
            assert serious(page, axe) == []


@pytest.mark.parametrize("name", ASKED)
def test_it_opens_with_an_example(page: Page, name):
    page.open(name)
    assert page.one("#examples [aria-pressed=true]")
    assert page.all(".found .where" if name == "documents" else SHOWN[name])


def test_what_is_read_glows_and_evidence_is_marked_until_it_is_edited(page: Page):
    page.open("stories")
    lit, gold = page.all(".behind .lit"), page.all(".behind .gold")
    assert lit
    assert [one.get_attribute("textContent") for one in gold] == [
        one.text.removeprefix("★ ") for one in page.all(".heat tbody tr:has(.star) th")
    ]
    assert gold
    assert page.all("#examples [aria-pressed=true]")
    page.write("question", "Where is John now?")
    assert not page.all(".behind .gold, .star, #examples [aria-pressed=true]")


def test_a_hop_is_looked_at_alone(page: Page):
    page.open("stories")

    def glow():
        return page.run("return document.querySelector('.behind').innerHTML")

    first, together = page.all(".heat thead button")[0], glow()
    first.click()
    assert first.get_attribute("aria-pressed") == "true"
    assert glow() != together
    first.click()
    assert first.get_attribute("aria-pressed") == "false"
    assert glow() == together


def test_all_is_reached_with_the_keyboard(page: Page):
    from selenium.webdriver.common.keys import Keys

    page.open("stories")
    reached = []
    for _ in range(40):
        page.driver.switch_to.active_element.send_keys(Keys.TAB)
        reached.append(page.run("const a = document.activeElement; return a.id || a.textContent"))
        if reached[-1] == "hop 1":
            break
    examples = [one.text for one in page.all("#examples button:not([hidden])")]
    assert reached[: len(examples) + 4] == [
        *("thing", *examples),
        *("field-story", "field-question", "share"),
    ]
    assert reached[-1] == "hop 1"
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert page.one(".heat thead [aria-pressed=true]").text == "hop 1"


def test_a_screen_reader_is_told_the_answer_and_every_weight(page: Page):
    page.open("stories")
    answer = page.run("return document.querySelector('.answer').firstChild.textContent")
    wait(lambda: f"Answer: {answer}" in page.one("#said").get_attribute("textContent"), "a word")
    rows = page.all(".heat tbody tr")
    assert len(rows) == len(page.all("#field-story")[0].get_attribute("value").split("\n"))
    for row in rows:
        assert row.find_elements("css selector", "th[scope=row]")
        assert all(0 <= float(cell.text) <= 1 for cell in row.find_elements("css selector", "td"))
    assert [one.text for one in page.all(".heat thead th[scope=col]")][1:] == [
        *("hop 1", "hop 2", "hop 3")
    ]


def test_a_late_reply_is_dropped(page: Page):
    page.open("facts")
    page.run(LATE)
    field = page.one("#field-question")
    field.clear()
    field.send_keys("when was Up released?")
    wait(lambda: page.run("return window.shown.at(-1)?.includes('2009')"), "the last answer")
    assert not [one for one in page.run("return window.shown") if "Ada" in one]


def test_a_refusal_stands_as_a_sentence_in_place_of_the_answer(page: Page):
    page.open("stories").write("story", "Where is Mary?")
    assert "'Where is Mary?' came in the story" in page.text("#answer .problem")
    assert not page.all("#evidence *, .behind .lit")
    assert all("422" in one for one in page.complaints)
    page.write("story", "Mary moved to the hall.")
    assert not page.all(".problem")


def test_a_server_that_is_gone_is_told(page: Page):
    page.open("facts")
    page.run("window.fetch = () => Promise.reject(new TypeError('Failed to fetch'))")
    page.write("question", "who directed Up?")
    assert "cannot be reached" in page.text("#answer .problem")


def test_nothing_that_is_typed_becomes_part_of_the_page(page: Page):
    bad = "<img src=x onerror=alert(1)> \u202e <b>bold</b>"
    page.open("stories").write("story", f"{bad}\nMary moved to the hall.")
    assert bad.replace("\u202e", "<U+202E>") in page.text(".heat tbody")
    assert not page.all("main img, main b")


def test_a_knowledge_base_says_what_it_recognised_and_why_it_does_not_know(page: Page):
    page.open("facts").write("question", "who directed Aliem?")
    assert "“alien” is Alien by its spelling, 80.0 % alike" in page.text(".recognised")
    page.write("question", "who directed Casablanca?")
    assert page.text(".answer") == "I don't know"
    assert "names nothing that this knowledge base knows" in page.text(".why")
    page.write("question", "what is the number of things directed by Ada?")
    assert page.text(".answer") == "2"
    assert [one.text for one in page.all(".program ul li")] == [
        *("Alien directed_by Ada", "Up directed_by Ada")
    ]


def test_sentences_stand_in_their_documents(page: Page):
    page.open("documents").write("question", "where does a bee tell of nectar?")
    best, other = page.all(".found .where")  # which its title alone speaks for
    assert "Bees bees.md, line 3" in best.text
    assert "Bees bees.md, line 5" in other.text
    assert [one.text for one in page.all(".found mark")] == ["bee", "tell", "nectar"]
    page.write("question", "zeppelins?")
    assert "I don't know" in page.text("#evidence")


def test_a_model_of_language_is_read_at_every_place(page: Page):
    from selenium.webdriver.common.keys import Keys

    page.open("writing").write("text", "ab\ncab")
    symbols = page.all(".symbols [role=option]")
    assert [one.text for one in symbols] == ["a", "b", "⏎", "c", "a", "b", "next?"]
    assert [one.get_attribute("aria-selected") for one in symbols] == ["false"] * 6 + ["true"]
    assert page.text(".came") == "After your text it expects:"
    ahead = page.text(".told")
    symbols[5].click()
    assert symbols[5].get_attribute("aria-selected") == "true"
    assert re.match(r"“b” had a chance of \d+\.\d % \(\d+\.\d bits\)", page.text(".came"))
    assert page.text(".told") != ahead
    page.driver.switch_to.active_element.send_keys(Keys.HOME)
    assert page.text(".told") == "“a” is the first character: nothing came before it."
    for key, places in ((Keys.ARROW_DOWN, "34"), (Keys.ARROW_UP, "01"), (Keys.ARROW_RIGHT, "12")):
        page.driver.switch_to.active_element.send_keys(key)
        assert page.one(".symbols [aria-selected=true]").get_attribute("data-place") in places
    wait(lambda: page.text(".written b") not in ("", "…"), "how it goes on")


def test_what_was_read_before_a_symbol_glows_by_zone(page: Page):
    page.open("writing").write("text", "Mary went to the hall. John went back to the garden.")
    table = page.all(".told .heat thead button")
    assert table[0].text.startswith("zone ")
    assert table[-1].text == "neural cache"
    together, alone = len(page.all(".symbols .lit")), []
    for button in table[:-1]:
        button.click()
        zone = f".zone[data-zone='{button.text[5:]}']"
        alone.append(len(page.all(f"{zone} .lit")))
        assert len(page.all(".symbols .lit")) == len(page.all(".behind .lit")) == alone[-1]
    assert len(alone) > 1
    assert sum(alone) == together > 0
    for row in page.all(".told .heat tbody tr"):
        cells = row.find_elements("css selector", "td")
        assert all(0 <= float(one.get_attribute("textContent")) <= 1 for one in cells)


@pytest.mark.parametrize(
    ("unit", "text", "found"),
    [
        ("character", "a\U0001f600b\nc", ["a", "\U0001f600", "b", "\n", "c"]),
        ("word", "the  cat\n sat.", ["the", "cat", "\n", "sat."]),
    ],
)
def test_a_place_is_found_in_the_text_that_was_typed(page: Page, unit, text, found):
    page.open("facts")
    marked = page.driver.execute_async_script(
        "const [text, unit, many, told] = arguments;"
        "const read = Array.from({length: many}, (_, slot) => ({slot, weight: 1}));"
        "import('/static/glow.js').then(({placeMarks}) =>"
        " told(placeMarks(text, read, unit).map(({begin, end}) => text.slice(begin, end))));",
        *(text, unit, len(found) + 1),
    )
    assert marked == found


def test_a_symbol_that_is_pointed_at_is_looked_at_until_the_mouse_has_gone(page: Page):
    from selenium.webdriver.common.action_chains import ActionChains

    page.open("writing").write("text", "abcabc")
    picked = page.text(".told")
    ActionChains(page.driver).move_to_element(page.all(".symbols [role=option]")[2]).perform()
    assert page.text(".came").startswith("“c”")
    ActionChains(page.driver).move_to_element(page.one("h1")).perform()
    assert page.text(".told") == picked


def test_a_screen_reader_is_told_what_was_read_before_a_symbol(page: Page):
    from selenium.webdriver.common.keys import Keys

    page.open("writing").write("text", "abcabc")
    told = page.one("#evidence [role=status]")
    wait(lambda: "Read 6 characters" in page.one("#said").get_attribute("textContent"), "a word")
    last = page.all(".symbols [role=option]")[-1]
    last.send_keys(Keys.ARROW_LEFT)
    label = page.driver.switch_to.active_element.get_attribute("aria-label")
    assert re.fullmatch(r"c, chance \d+\.\d %", label)
    wait(lambda: "zone 1 read most of " in told.get_attribute("textContent"), "what was read")
    assert page.all(".symbols [tabindex='0']") == [page.driver.switch_to.active_element]


def test_another_picture_is_looked_at(page: Page, tmp_path):
    from PIL import Image

    page.open("caption")
    before = page.run("return document.querySelector('.picked').toDataURL()")
    Image.new("RGB", (800, 600), (0, 200, 0)).save(tmp_path / "green.png")
    (tmp_path / "no.png").write_text("no picture")
    page.one("#field-picture").send_keys(str(tmp_path / "green.png"))
    wait(lambda: not page.all("#examples [aria-pressed=true]"), "the picture")
    page.answered()
    assert page.run("return document.querySelector('.picked').toDataURL()") != before
    assert page.all(".regions canvas")
    page.one("#field-picture").send_keys(str(tmp_path / "no.png"))
    wait(lambda: "no.png is no picture" in page.text(".field .problem"), "a refusal")


def test_points_are_set_and_moved_and_removed(page: Page):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    def points():
        return page.one("#field-points").get_attribute("value").split("\n")

    page.open("points").write("points", ASKED["points"]["points"])
    ActionChains(page.driver).move_to_element_with_offset(page.one(".points"), 40, -30).perform()
    ActionChains(page.driver).click().perform()
    assert len(points()) == 4
    page.answered()
    dot = page.all(".points circle")[0]
    dot.send_keys(Keys.ARROW_RIGHT)
    assert points()[0] == "0.12,0.2"
    page.answered()
    page.all(".points circle")[0].send_keys(Keys.DELETE)
    page.answered()
    assert len(points()) == 3
    assert page.all(".points line.chosen")


def test_going_back_opens_what_was_there(page: Page):
    page.open("facts").write("question", "who directed Up?")
    assert "who+directed" in page.url
    page.choose("documents")
    page.driver.back()
    wait(lambda: page.all("#field-question"), "the field")
    page.answered()
    assert page.one("#thing").get_attribute("value") == "facts"
    assert page.one("#field-question").get_attribute("value") == "who directed Up?"


def test_a_picture_of_it_is_taken(driver, address):
    import draw_playground

    picture = draw_playground.shot(driver, f"{address}/#facts", (600, 700), dark=True)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 150_000
