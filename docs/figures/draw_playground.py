"""Pictures of the playground: a story with what was read of it, and facts on a phone in the dark.

    memnets quickstart
    memnets kb build examples/strangers/staff.csv --table --out staff.kb
    memnets kb train staff.kb
    memnets serve runs/quickstart staff.kb
    python docs/figures/draw_playground.py

Draws playground-story.png and playground-facts.png beside itself. Needs memnets[browser], chromium
and its driver.
"""

import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import tyro

from memnets.cli.quickstart import QUESTION, STORY

VIEWS = {
    "playground-story": ("quickstart", {"story": "\n".join(STORY), "question": QUESTION}),
    "playground-facts": ("staff.kb", {"question": "what does the manager of Bo Li earn?"}),
}
SIZES = {"playground-story": (1100, 700), "playground-facts": (390, 1060)}
DARK = {"playground-facts"}
PATIENCE = 30.0
"""Seconds in which an answer has to come."""


@dataclass(frozen=True)
class Draw:
    """Draw what a server shows that runs already."""

    address: str = "http://127.0.0.1:8000"
    """Of the server."""
    pictures: Path = Path(__file__).parent
    """Where the pictures go."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw both pictures."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_playground.py")
    with tempfile.TemporaryDirectory() as profile:
        browser = started(Path(profile))
        try:
            for name, (thing, typed) in VIEWS.items():
                address = f"{options.address}/#{thing}?{urlencode(typed)}"
                picture = shot(browser, address, SIZES[name], name in DARK)
                (options.pictures / f"{name}.png").write_bytes(picture)
        finally:
            browser.quit()


def started(profile: Path) -> Any:
    """Return a browser without a window.

    Raises:
        FileNotFoundError: there is none.
    """
    from selenium import webdriver

    found = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    for name, path in found.items():
        if path is None:
            raise FileNotFoundError(
                f"{name}: there is none here. Install Debian's chromium and chromium-driver."
            )
    options = webdriver.ChromeOptions()
    options.binary_location = str(found["chromium"])
    for argument in ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"):
        options.add_argument(argument)
    return webdriver.Chrome(options, webdriver.ChromeService(str(found["chromedriver"])))


def shot(browser: Any, address: str, size: tuple[int, int], dark: bool) -> bytes:
    """Return the page as a PNG when it has answered.

    Raises:
        TimeoutError: it has not.
    """
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.get("about:blank")
    browser.get(address)
    end = time.monotonic() + PATIENCE
    while not browser.find_elements("css selector", "#evidence .part"):
        if time.monotonic() > end:
            raise TimeoutError(f"{address}: no answer within {PATIENCE:g} s. Does the server run?")
        time.sleep(0.1)
    picture: bytes = browser.get_screenshot_as_png()
    return picture


if __name__ == "__main__":
    main()
