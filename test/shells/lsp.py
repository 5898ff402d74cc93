"""A language client that is just enough to ask clangd for a file's findings."""

import json
import os
import subprocess
import threading


class Clangd:
    """One clangd process, in the folder `root`."""

    def __init__(self, executable, root, *flags, environment=None):
        self.root = root
        self.log = os.path.join(root, "clangd.log")
        self.process = subprocess.Popen(
            [executable, "--log=info", "--background-index=false", "-j=1",
             *flags],
            cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=open(self.log, "w"), env=environment)
        self.last_id = 0
        # A clangd that hangs must not hang the test run.
        self.watchdog = threading.Timer(300, self.process.kill)
        self.watchdog.start()
        self.request("initialize", {
            "processId": os.getpid(), "rootUri": "file://" + root,
            "capabilities": {"textDocument": {"publishDiagnostics": {
                "relatedInformation": True}}}})
        self.notify("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.watchdog.cancel()
        self.process.kill()
        self.process.wait()

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(
            b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("clangd ended: " + open(self.log).read())
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)

    def request(self, method, params):
        self.last_id += 1
        self._send({"id": self.last_id, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self.last_id and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def diagnostics(self, file):
        """Opens a file and returns what clangd says about it."""
        uri = "file://" + file
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "cpp", "version": 1,
            "text": open(file, encoding="utf-8").read()}})
        while True:
            message = self._receive()
            if (message.get("method") == "textDocument/publishDiagnostics"
                    and message["params"]["uri"] == uri
                    and message["params"].get("version", 1) == 1):
                return message["params"]["diagnostics"]

    def code_actions(self, file, diagnostic):
        """The quick fixes that clangd offers for one of its diagnostics."""
        return self.request("textDocument/codeAction", {
            "textDocument": {"uri": "file://" + file},
            "range": diagnostic["range"],
            "context": {"diagnostics": [diagnostic]}})
