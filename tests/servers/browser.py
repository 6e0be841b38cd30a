"""A browser without a window, steered over its debugging pipe: what a page asks for, logs, and looks like at a width."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@dataclass(slots=True)
class Seen:
    """What opening one page showed: every address asked for, what was logged, and what a question to the page answered."""

    asked: list[str] = field(default_factory=list[str])
    logged: list[str] = field(default_factory=list[str])
    answer: Any = None
    picture: bytes = b""


class Browser:
    """One tab."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self._seen = Seen()
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for name in ("Page", "Network", "Log", "Runtime"):
            self._call(f"{name}.enable")

    def open(
        self,
        address: str,
        question: str = "document.title",
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
    ) -> Seen:
        """Open a page at a width in pixels; `question` is evaluated by the tester, outside the page's policy."""
        self._seen = Seen()
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", features=scheme)
        self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self._call("Page.navigate", url=address)
        self._until("Page.loadEventFired")
        self._seen.answer = self._call("Runtime.evaluate", expression=question, returnByValue=True)["result"].get(
            "value"
        )
        shot = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=False)
        self._seen.picture = base64.b64decode(shot["data"])
        return self._seen

    def look(self, question: str) -> Any:
        """Ask the page that is shown; None while it is being replaced by another."""
        answer = self._call("Runtime.evaluate", expression=question, returnByValue=True)
        return answer["result"].get("value", "")

    def faults(self, checker: str) -> list[str]:
        """Return what axe, whose source `checker` is, finds wrong with the page that is shown."""
        self._call("Runtime.evaluate", expression=checker, returnByValue=False)
        said = (
            "axe.run().then(r => r.violations.map(v => `${v.id} (${v.impact}): ${v.nodes.map(n => n.html).join(' ')}`))"
        )
        answer = self._call("Runtime.evaluate", expression=said, awaitPromise=True, returnByValue=True)
        return [fault[:300] for fault in answer["result"]["value"]]

    def type_into(self, place: str, text: str) -> None:
        """Type text into a field, then Tab to the next control and press Enter there."""
        self._call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(place)}).focus()")
        self._call("Input.insertText", text=text)
        for key, code, word in (("Tab", 9, ""), ("Enter", 13, "\r")):
            for kind in ("keyDown", "keyUp"):
                self._call(
                    "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=word
                )

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        own = self._number
        message: dict[str, object] = {"id": own, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == own:
                assert "error" not in heard, heard
                return heard["result"]

    def _until(self, event: str) -> None:
        while self._hear().get("method") != event:
            pass

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._back, 1 << 16)
            assert piece, "the browser went away"
            self._rest += piece
        one, _, self._rest = self._rest.partition(b"\0")
        heard = json.loads(one)
        parameters = heard.get("params", {})
        if heard.get("method") == "Network.requestWillBeSent":
            self._seen.asked.append(parameters["request"]["url"])
        elif heard.get("method") == "Log.entryAdded":
            self._seen.logged.append(parameters["entry"]["text"])
        elif heard.get("method") in {"Runtime.consoleAPICalled", "Runtime.exceptionThrown"}:
            self._seen.logged.append(json.dumps(parameters))
        return heard


@contextmanager
def browsing(profile: Path) -> Generator[Browser]:
    """Start the browser with a profile of its own."""
    assert CHROMIUM is not None
    theirs, to = os.pipe()
    back, answers = os.pipe()

    def attach() -> None:
        os.dup2(theirs, 3)
        os.dup2(answers, 4)

    process = subprocess.Popen(
        [CHROMIUM, *_FLAGS, "--remote-debugging-pipe", f"--user-data-dir={profile}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=attach,
        pass_fds=(3, 4),
    )
    os.close(theirs)
    os.close(answers)
    try:
        yield Browser(to, back)
    finally:
        process.terminate()
        process.wait(30)
        for descriptor in (to, back):
            os.close(descriptor)
