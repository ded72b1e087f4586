"""What the check of a built site finds: what would be fetched from elsewhere, and raw formulas."""

import re

import pytest

from tools.offline import faults, main


@pytest.fixture
def site(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.js").touch()
    (tmp_path / "index.html").write_text(
        '<link rel="stylesheet" href="./site.css"><script src="deep/a.js?v=1"></script>'
        '<a href="https://example.org/">followed, not fetched</a><code>$$ a $$</code>'
        '<math><mi>a</mi></math> costs $5 <img src="data:image/png;base64,AA==">'
    )
    (tmp_path / "site.css").write_text("a { background: url(x.png) } /* https://example.org */")
    return tmp_path


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ('<link href="https://fonts.example/css">', "fetches <link href> https://fonts.example"),
        ('<link href="//fonts.example/css">', "fetches <link href> //fonts.example/css"),
        ('<p><script src="https://x.example/m.js"></script>', "fetches <script src> https://x"),
        ('<img srcset="https://x.example/a.png 2x">', "fetches <img srcset> https://x.example"),
        ('<img src="../figures/a.png">', "lacks ../figures/a.png"),
        ("<style>@import 'https://x.example/a.css'</style>", "fetches https://x.example/a.css"),
        ("<p>so\n$$ e = q^\\top k $$ (Eq. 1)</p>", r"a raw formula: \$\$ e = q"),
        (r"<p>where \(a\) is</p>", r"a raw formula: where \\\(a\\\) is"),
        (r"<p>where $\alpha$ is</p>", r"a raw formula: where \$\\alpha\$ is"),
    ],
)
def test_a_fault_is_named_with_its_page(site, capsys, page, fault):
    assert main(str(site)) == 0
    (site / "deep" / "page.html").write_text(page)
    assert main(str(site)) == 1
    said = capsys.readouterr().err
    assert said.startswith(str(site / "deep" / "page.html"))
    assert re.search(fault, said)
    assert said.count("\n") == 1


def test_a_style_that_fetches_is_named(site):
    (site / "site.css").write_text('@font-face { src: url("https://x.example/a.woff2") }')
    assert list(faults(site)) == [f"{site / 'site.css'}: fetches https://x.example/a.woff2"]


def test_no_site_is_no_pass(tmp_path):
    with pytest.raises(ValueError, match=r"no pages\. Build the site first: make docs"):
        main(str(tmp_path))
