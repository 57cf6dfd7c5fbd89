# SPDX-License-Identifier: MIT
"""A headless Chromium, driven over WebDriver with the standard library alone."""
import base64
import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
START_SECONDS = 60
CALL_SECONDS = 60


class Browser:
    """One window. Use it in a `with`: nothing of it is left behind."""

    def __init__(self, chromium="chromium", chromedriver="chromedriver"):
        self.folder = tempfile.mkdtemp(prefix="rowmax-browser-")
        self.process = None
        try:
            self.start(chromium, chromedriver)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start(self, chromium, chromedriver):
        programs = [shutil.which(name) for name in (chromium, chromedriver)]
        if None in programs:
            raise SystemExit(f"'{chromium}' and '{chromedriver}' are needed: scripts/setup tests")
        environment = dict(os.environ, HOME=self.folder, XDG_CONFIG_HOME=self.folder, XDG_CACHE_HOME=self.folder)
        self.process = subprocess.Popen([programs[1], "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        env=environment, start_new_session=True)
        self.base = f"http://127.0.0.1:{self.read_port()}"
        # A container has no user namespaces for the sandbox, little /dev/shm and no graphics card.
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-ipc-flooding-protection",  # the page is clicked faster than by hand
                     "--window-size=1280,1000", "--user-data-dir=" + os.path.join(self.folder, "profile")]
        options = {"binary": programs[0], "args": arguments}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = "/session/" + answer["sessionId"]
        self.command("timeouts", {"script": 20000, "pageLoad": 30000})

    def read_port(self):
        """The port that chromedriver says it took."""
        end = time.monotonic() + START_SECONDS
        text = b""
        selector = selectors.DefaultSelector()
        selector.register(self.process.stdout, selectors.EVENT_READ)
        while time.monotonic() < end and self.process.poll() is None:
            if selector.select(timeout=1):
                text += os.read(self.process.stdout.fileno(), 4096)
            found = re.search(rb"started successfully on port (\d+)", text)
            if found:
                return int(found[1])
        raise SystemExit("chromedriver did not start: " + text.decode(errors="replace"))

    def close(self):
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGTERM)
                self.process.wait(10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait(10)
            self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=CALL_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {json.load(error)['value']['message']}") from None

    def command(self, name, body):
        return self.call("POST", f"{self.session}/{name}", body)

    def open(self, url):
        self.command("url", {"url": url})

    def run(self, script, *arguments):
        """The value of a function body in the page; `arguments[0]` and so on."""
        return self.command("execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, name, **parameters):
        return self.command("goog/cdp/execute", {"cmd": name, "params": parameters})

    def element(self, selector):
        found = self.command("element", {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def click(self, selector):
        self.command(f"element/{self.element(selector)}/click", {})

    def keys(self, text):
        """Keys for whatever has the focus."""
        actions = []
        for key in text:
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.command("actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def log(self, kind):
        return self.command("se/log", {"type": kind})

    def size(self, width, height, phone=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=phone)

    def media(self, kind="", **features):
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.devtools("Emulation.setEmulatedMedia", media=kind, features=named)

    def picture(self, path):
        """The whole page, however long."""
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
