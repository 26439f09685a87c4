"""The page of `silt ui` as it is served, by this process or by one of its own, asked over HTTP."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from http.client import HTTPConnection
from queue import Queue
from socket import socket
from unittest.mock import patch
from urllib.parse import urlencode, urlsplit

import uvicorn

from siltstone.ui.server import serve


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def words(self) -> str:
        """What a reader sees, without the marks."""
        return " ".join(unescape(re.sub(r"<[^>]+>", "", self.text)).split())

    def forms(self, action: str) -> list[dict[str, str]]:
        """The hidden values of each form that goes there."""
        found = re.findall(rf'<form[^>]*action="{action}">(.*?)</form>', self.text, re.S)
        hidden = r'<input type="hidden" name="(\w+)" value="([^"]*)">'
        return [{name: unescape(value) for name, value in re.findall(hidden, form)} for form in found]


@dataclass
class Served:
    address: str
    """With the token."""
    cookie: str = ""

    @property
    def origin(self) -> str:
        return self.address.partition("/?")[0]

    def ask(self, path: str, form: Mapping[str, str] | None = None, **headers: str) -> Reply:
        """A request as our own page would send it; a header of "" is left out."""
        host = urlsplit(self.origin).netloc
        sent = {"Host": host, "Cookie": self.cookie, "Origin": self.origin if form is not None else ""}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = HTTPConnection(host, timeout=30)
        connection.putrequest("GET" if form is None else "POST", path, skip_host=True)
        body = urlencode(form or {}).encode()
        for name, value in {**sent, "Content-Length": str(len(body))}.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(body)
        reply = connection.getresponse()
        read = Reply(reply.status, {name.lower(): value for name, value in reply.getheaders()}, "")
        text = reply.read().decode("utf-8")
        connection.close()
        return Reply(read.status, read.headers, text)

    def enter(self) -> Reply:
        """Open the address that was printed, and keep the cookie."""
        reply = self.ask(self.address.removeprefix(self.origin))
        self.cookie = reply.headers["set-cookie"].partition(";")[0]
        return reply


class _Server(uvicorn.Server):
    """One that a thread runs, and that another one ends."""

    running: "Queue[uvicorn.Server]" = Queue()

    def run(self, sockets: list[socket] | None = None) -> None:
        self.running.put(self)
        super().run(sockets)


@contextmanager
def served() -> Iterator[Served]:
    """The page of the store in this environment, entered; a thread of this process serves it."""
    addresses = Queue[str]()
    with patch.object(uvicorn, "Server", _Server), ThreadPoolExecutor(1) as thread:
        serving = thread.submit(serve, addresses.put, None)
        page = Served(addresses.get(timeout=60))
        server = _Server.running.get(timeout=60)
        try:
            page.enter()
            yield page
        finally:
            server.should_exit = True
            serving.result(timeout=60)


@contextmanager
def served_by_silt(opens: bool = False) -> Iterator[Served]:
    """The same by the command, in a process of its own; nobody has entered."""
    command = [sys.executable, "-m", "siltstone", "ui", *([] if opens else ["--no-open"])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Served(process.stdout.readline().strip())
        finally:
            process.send_signal(signal.SIGINT)
    assert process.returncode == 0
