"""What nothing uses is listed, and the package has nothing of it."""

import pytest

from tools.unused import ROOTS, main, stale, unused

FILES = {
    "__init__.py": "",
    "said/__init__.py": '"""A docstring alone."""\n',
    "base.py": "def helped(): ...\n\n\ndef itself():\n    return itself()\n\n\nclass Kind: ...\n",
    "used.py": "from toy.base import helped\nfrom toy import base\n\nbase.Kind\n",
    "named.py": '__all__ = ["Quoted", "Only"]\n\n\nclass Quoted: ...\n\n\nclass Only: ...\n\n\n'
    'def f(one: "Quoted") -> None: ...\n\n\nf(None)\n',
    "deep/__init__.py": "from .part import Part\n",
    "deep/part.py": "class Part: ...\n\n\ndef _private(): ...\n",
}


@pytest.fixture
def toy(tmp_path):
    for name, text in FILES.items():
        (tmp_path / "toy" / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "toy" / name).write_text(text)
    return tmp_path / "toy"


def test_what_nothing_uses_is_listed(toy):
    found = unused(toy, {})
    # A use from within counts for a thing beside it, neither for itself nor for its package.
    expected = ["toy", "toy.base.itself()", "toy.deep", "toy.named", "toy.named.Only", "toy.used"]
    assert found == expected


def test_roots_excuse(toy):
    roots = {r"toy(\.\w+)?": "", r"toy\.named\.\w+": "", r"toy\.gone": ""}
    assert unused(toy, roots) == ["toy.base.itself()"]
    assert stale(toy, roots) == [r"toy\.gone"]


def test_everything_in_the_package_is_used():
    assert unused() == [], "use it, move it to examples, delete it, or give the reason in ROOTS"


def test_every_root_excuses_something():
    assert stale() == []
    assert len(ROOTS) <= 15


def test_the_command_says_so(capsys):
    assert main() == 0
    assert capsys.readouterr().out == "0 unused\n"
