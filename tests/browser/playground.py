"""The page as somebody sees it, and what keeps some from seeing it."""

import json
import time

WIDE, NARROW = (1280, 900), (390, 844)
PATIENCE = 30.0
"""Seconds in which what is waited for has to come."""


def wait(condition, what: str, seconds: float = PATIENCE):
    """Wait until something holds, and return it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what} did not come within {seconds:g} s")


class Page:
    """The playground as somebody sees it."""

    def __init__(self, driver, address: str) -> None:
        self.driver, self.address = driver, address

    def open(self, fragment: str = "", size=WIDE, mode: str = "light") -> "Page":
        """Open it anew, and wait for the first answer."""
        self.driver.get("about:blank")
        self.look(size, mode)
        self.driver.get(f"{self.address}/#{fragment}")
        return self.answered()

    def look(self, size, mode: str) -> None:
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        feature = {"name": "prefers-color-scheme", "value": mode}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def answered(self) -> "Page":
        """Wait until nothing is asked any more, and something is shown."""
        shown = "const a = document.getElementById('answer'); return !!a && "
        shown += "a.getAttribute('aria-busy') === 'false' && "
        shown += "(a.children.length + document.getElementById('evidence').children.length > 0)"
        wait(lambda: self.run(shown), "an answer")
        return self

    def run(self, script: str, *given):
        return self.driver.execute_script(script, *given)

    def all(self, selector: str):
        return self.driver.find_elements("css selector", selector)

    def one(self, selector: str):
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} of {selector}"
        return found[0]

    def text(self, selector: str) -> str:
        return self.one(selector).text

    def write(self, part: str, text: str) -> "Page":
        """Type something in place of what a field holds."""
        from selenium.webdriver.common.keys import Keys

        field = self.one(f"#field-{part}")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)
        return self.answered()

    def choose(self, name: str) -> "Page":
        from selenium.webdriver.support.ui import Select

        Select(self.one("#thing")).select_by_value(name)
        return self.answered()

    @property
    def url(self) -> str:
        time.sleep(0.4)  # it follows what is typed a little later
        return self.run("return location.href")

    @property
    def complaints(self) -> list[str]:
        """What the console holds, besides what was told; it is empty afterwards."""
        return [one["message"] for one in self.driver.get_log("browser")]


def serious(page: Page, axe: str) -> list[str]:
    """Return what axe finds that keeps somebody from using the page."""
    if not page.run("return 'axe' in window"):
        page.run(axe)
    found = page.driver.execute_async_script(
        "axe.run(document, {resultTypes: ['violations']}).then(arguments[0])"
    )
    grave = [one for one in found["violations"] if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {json.dumps(one['nodes'][0]['html'])}" for one in grave]
