"""A headless Chromium for tests, spoken to through its debugging pipe: real keys, clicks and requests, and nothing to install.

The protocol's messages are JSON, each ended by a zero byte, on file descriptors 3 (to the browser) and 4 (from it).
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)
_KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
_PATIENCE_S = 90.0
_LAUNCHER = """
import fcntl, os, sys
high = [fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3]]
for low, fd in zip((3, 4), high):
    os.dup2(fd, low)
os.execv(sys.argv[3], sys.argv[3:])
"""  # pipes may have any numbers; the browser wants 3 and 4


LOW_CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const painted = (layers) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (c) => c.map((v) => v / 255).map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const low = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !element.getClientRects().length) continue;
    const grounds = [];
    for (let e = element; e; e = e.parentElement) grounds.unshift(getComputedStyle(e).backgroundColor);
    const ground = light(painted(grounds));
    const ink = light(painted([...grounds, getComputedStyle(element).color]));
    const contrast = (Math.max(ink, ground) + .05) / (Math.min(ink, ground) + .05);
    if (contrast < 4.5) low.add(`${element.className || element.localName} ${contrast.toFixed(2)}`);
  }
  return [...low];
})()"""
"""JavaScript for the elements whose text has a contrast below 4.5 to 1 with the ground that it really has, as texts."""


class Page:
    """One page of the browser; `complaints` are its console errors and exceptions, `requests` the addresses it asked for."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._buffer = b""
        self._last_id = 0
        self._session = self._target = ""
        self._loaded = False
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def open(self, address: str, width: int = 1280, height: int = 800) -> None:
        """Return when the page at the address has loaded."""
        self._session = ""
        if self._target:
            self.call("Target.closeTarget", targetId=self._target)
        self._target = target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self._loaded = False
        self.complaints.clear()
        self.requests.clear()
        self.call("Page.navigate", url=address)
        self._wait(lambda: self._loaded)

    def run(self, script: str) -> Any:
        """Return the value of a JavaScript expression, awaited when it is a promise; raises AssertionError when it throws."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Return when the key has been pressed and let go."""
        text = {"Enter": "\r", " ": " "}.get(key, "")
        code = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": _KEYS[key]}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **code)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def point(self, selector: str) -> tuple[float, float]:
        """Return the middle of the element on the screen, scrolled into view, once the pointer is there."""
        script = (
            f"(async () => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center', behavior: 'instant'});"
            "for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);"
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()"
        )
        x, y = self.run(script)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        return x, y

    def click(self, selector: str) -> None:
        """Return when the middle of the element was clicked, whatever lies there on top."""
        x, y = self.point(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path: Path) -> None:
        """Return when the visible part of the page is in the file, as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def call(self, method: str, **parameters: Any) -> Any:
        """Return the result of a command of the protocol."""
        self._last_id += 1
        number = self._last_id
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        answers: list[Any] = []
        self._wait(lambda: bool(answers), lambda m: answers.append(m) if m.get("id") == number else None)
        assert "error" not in answers[0], f"{method}: {answers[0].get('error')}"
        return answers[0]["result"]

    def _wait(self, is_done: Any, look: Any = lambda _: None) -> None:
        end = time.monotonic() + _PATIENCE_S
        while not is_done():
            ready, _, _ = select.select([self._from], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            read = os.read(self._from, 1 << 20)
            if not read:
                raise ConnectionError("the browser has ended")
            *messages, self._buffer = (self._buffer + read).split(b"\0")
            for raw in messages:
                message = json.loads(raw)
                self._hear(message)
                look(message)

    def _hear(self, message: Any) -> None:
        kind, told = message.get("method"), message.get("params", {})
        if kind == "Page.loadEventFired":
            self._loaded = True
        elif kind == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif kind == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(told["exceptionDetails"]))
        elif kind == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(told["args"]))
        elif kind == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.complaints.append(told["entry"]["text"])


@contextlib.contextmanager
def browser(chromium: str, profile: Path) -> Iterator[Page]:
    """Yield a page of a browser of its own, ended afterwards; `profile` is an empty folder."""
    their_in, our_out = os.pipe()
    our_in, their_out = os.pipe()
    pipes = (str(their_in), str(their_out))
    command = [sys.executable, "-c", _LAUNCHER, *pipes, chromium, *_FLAGS, f"--user-data-dir={profile}"]
    process = subprocess.Popen(
        command, pass_fds=(their_in, their_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )
    os.close(their_in)
    os.close(their_out)
    try:
        yield Page(our_out, our_in)
    finally:
        os.close(our_out)
        os.close(our_in)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
