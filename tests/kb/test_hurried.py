"""Questions with a run-up, with words that say nothing, and typed in a hurry."""

import pytest

TOWN = """
Castle;took to build:41 years;stones taken from:Abbey;last restored:1963-11-30;style:Gothic
Abbey;took to build:13 years;stones taken from:Hill Fort;style:Romanesque;architect:Mo Stone
Hill Fort;took to build:9 years;style:Roman;architect:Ada Lund
Karsholm Central;platforms:14;district:Karsholm;opened:1894-05-01;looked after by:Bo Reed
Karsholm Port;platforms:2;district:Karsholm;opened:1938-03-02;looked after by:Cy Hart
Ada Lund;plays for:Rovers;pager:4491;months abroad:3
Bo Reed;plays for:Rovers;pager:5120;taught by:Ada Lund
Cy Hart;plays for:United;pager:3000;taught by:Bo Reed
Rovers;nickname:The Owls;played in:Karsholm;based at:Abbey
United;nickname:The Cats;played in:Karsholm;based at:Castle
Anybody;best song:Wasps;written by:Bo Reed;tools used:reed
Wasps;tools used:lute;written by:Ada Lund
May;crop:bean;height:40 cm;parent:Will;gathered on:1979-11-29;days to harvest:85
Will;crop:pea;height:90 cm;gathered on:1981-03-02;days to harvest:60
Gaunt;crop:pea;height:80 cm;parent:May;gathered on:1985-06-01;days to harvest:70
Plum Job;goes well with:Fairy Bread;page:12
Fairy Bread;goes well with:Ox in a Coat;page:287
Ox in a Coat;goes well with:Plum Job;page:324;based on:Fairy Bread
"""


@pytest.fixture(scope="module")
def ask(asking):
    lines = (line.split(";") for line in TOWN.strip().splitlines())
    return asking([(name, *cell.split(":", 1)) for name, *cells in lines for cell in cells])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # What was said before.
        ("Good morning! I walked past the Abbey and would love to know its architect.", "Mo Stone"),
        ("I'm doing the cards this month. What's the pager of Bo Reed?", "5120"),
        ("We met Cy Hart. Who taught him?", "Bo Reed"),
        ("Good morning, would you kindly look up the height of May for me?", "40 cm"),
        # Words that might say a relation, beside others that do.
        ("On which page do I find Ox in a Coat?", "324"),
        ("What's the nickname of the club Rovers?", "The Owls"),
        ("My player wants to know the style of the Castle", "Gothic"),
        ("what goes well with Ox in a Coat?", "Plum Job"),
        ("Which player looks after Karsholm Port?", "Cy Hart"),
        # A name in two places of the question.
        ("How long did the Castle take to build?", "41 years"),
        ("From where were the stones for the Castle taken?", "Abbey"),
        # Which of two things is meant.
        ("May (the bean): height?", "40 cm"),
        ("Will, the pea, has what height?", "90 cm"),
        ("Anybody's best song?", "Wasps"),
        ("number of platforms at Karsholm Port", "2"),
        ("May was gathered on which day?", "1979-11-29"),
        ("What is the pager of Reed?", "5120"),
        ("May has what height?", "40 cm"),
        # Whether anything is known.
        ("Was the Castle ever restored?", "yes"),
        # In which direction.
        ("Which dish has Plum Job among the things it goes well with?", "Ox in a Coat"),
        ("Bo Reed was taught by whom?", "Ada Lund"),
        ("Bo Reed taught whom?", "Cy Hart"),
        ("Whose pager was it, from 4491?", "Ada Lund"),
        ("What was opened for the first time in 1938?", "Karsholm Port"),
        # As it is typed.
        ("platfroms karsholm centrall", "14"),
        ("castle styl?", "Gothic"),
    ],
)
def test_questions_in_a_hurry(ask, question, answer):
    assert ask(question) == answer


PLACES = """
Duchess;kind:engine;shed:Old Shed;built in:1900;driver:Ada Lund;lasts:9 months
Iron Duke;kind:engine;shed:Old Shed;built in:1910;driver:Bo Reed;lasts:7 months
Puffer;kind:engine;shed:New Shed;built in:1920;driver:Bo Reed;lasts:9 months
Ada Lund;kind:driver;lives_in:Osk;plays:flute
Bo Reed;kind:driver;lives_in:Mar;plays:drums
Old Shed;kind:shed;grows next to:New Shed;district:Mar;blooms in:June
June;kind:flower;grows next to:Ropes
New Shed;kind:shed;grows next to:Old Shed;district:Osk
Maths;kind:course;language of teaching:Latin;taught by:Ada Lund;blooms in:May
Bread;kind:course;language of teaching:Greek;taught by:Bo Reed;blooms in:June;raised with:Maths
Ropes;kind:course;language of teaching:Latin;taught by:Bo Reed;blooms in:June
"""


@pytest.fixture(scope="module")
def ask_of_places(asking):
    lines = (line.split(";") for line in PLACES.strip().splitlines())
    return asking([(name, *cell.split(":", 1)) for name, *cells in lines for cell in cells])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what engines live in Old Shed", "Duchess, Iron Duke"),  # where nobody lives
        ("who lives in Osk?", "Ada Lund"),
        ("Old Shed stands next to which shed?", "New Shed"),  # and blooms in nothing
        ("courses taught in Latin", "Maths, Ropes"),
        ("who is Maths taught by?", "Ada Lund"),
        ("Name the engines that last 9 months.", "Duchess, Puffer"),
        ("Which engine was built last?", "Puffer"),
    ],
)
def test_postures_and_verbs_leave_the_rest_to_the_words_behind_them(
    ask_of_places, question, answer
):
    assert ask_of_places(question) == answer
