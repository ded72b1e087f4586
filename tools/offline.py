"""Read a built site, and name what it would fetch from elsewhere, or lacks, and raw formulas.

python -m tools.offline site
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

SOURCES = {"src", "srcset", "poster", "data"}
"""What a browser fetches for them at once; of a link's `href`, see below."""
HERE = re.compile(r"(?![\w+.-]+:|[/#])")
"""A path beside the page, not an address, nor data, nor from the root as in 404.html."""
ELSEWHERE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
IN_STYLE = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)", re.IGNORECASE)
RAW = re.compile(r"\$\$|\\\(|\\\[|\$\\")
"""Where a formula begins that was not drawn."""


class Page(HTMLParser):
    """What a page fetches, from elsewhere and from beside it, and its text outside of code."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.beside: list[str] = []
        self.text: list[str] = []
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag fetches; an `<a href>` fetches nothing until it is followed."""
        wanted = SOURCES | {"href"} if tag in ("link", "use", "image") else SOURCES
        for name, value in attrs:
            if name not in wanted or not value:
                continue
            if ELSEWHERE.match(value):
                self.fetched.append(f"<{tag} {name}> {value}")
            elif HERE.match(value):
                self.beside.append(value)
        if tag in ("code", "pre", "script", "style", "math"):
            self.within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.within and self.within[-1] == tag:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        if "style" in self.within:
            self.fetched += IN_STYLE.findall(data)
        if not self.within:
            self.text.append(data)


def faults(site: Path) -> Iterator[str]:
    """Yield every fault of a built site, with its page.

    Raises:
        ValueError: there is no built site.
    """
    pages = sorted(site.rglob("*.html"))
    if not pages:
        raise ValueError(f"{site}: no pages. Build the site first: make docs.")
    for path in pages:
        page = Page()
        page.feed(path.read_text("utf-8"))
        yield from (f"{path}: fetches {what}" for what in page.fetched)
        for name in page.beside:
            if not (path.parent / name.split("?")[0].split("#")[0]).is_file():
                yield f"{path}: lacks {name}"
        lines = "".join(page.text).splitlines()
        yield from (f"{path}: a raw formula: {line.strip()}" for line in lines if RAW.search(line))
    for path in sorted(site.rglob("*.css")):
        for address in IN_STYLE.findall(path.read_text("utf-8")):
            yield f"{path}: fetches {address}"


def main(folder: str) -> int:
    """Print the faults of a site; return 1 where there are any."""
    found = list(faults(Path(folder)))
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except ValueError as error:
        sys.exit(f"memnets: {error}")
