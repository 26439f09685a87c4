"""The server of `silt ui`, and what keeps others out of it.

It listens on loopback only. Every request must name that address as its Host, come from our own page or from
none (Origin, Sec-Fetch-Site), and hold a cookie that is given for the token of the printed address: so no
page of another origin, no rebound name and no other user of the machine gets in. The pages take no script,
style or picture but ours, and send nothing elsewhere (Content-Security-Policy).
"""

import socket
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from secrets import compare_digest, token_urlsafe
from threading import Lock, Thread
from typing import NamedTuple
from urllib.parse import parse_qsl

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from siltstone.cli.context import Context
from siltstone.cli.history import told_of
from siltstone.cli.parts import rebuild
from siltstone.store.errors import EntryError, SiltError, Transient
from siltstone.store.undo import undo
from siltstone.ui import pages
from siltstone.ui.show import FOLDER, environment
from siltstone.ui.waiting import answer

HOST = "127.0.0.1"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with no-referrer a browser would send "Origin: null" with our forms
    "X-Content-Type-Options": "nosniff",
}
FILES = {"page.css": "text/css", "page.js": "text/javascript", "page.svg": "image/svg+xml"}
NO_KEY = "refused: this browser has no key to the page; open the address that `silt ui` printed last\n"
MOST_BYTES = 16_384
"""Of a request's body: a form of ours takes some hundred."""
PATIENCE = 3.0
"""Seconds that a request waits for a batch that writes; then the user is told to try again."""
MOST_DONE = 1_000
"""Answers that can be taken back one by one; `silt undo` takes back older ones."""

Fields = Mapping[str, str]


class Done(NamedTuple):
    """An answer that was given on the page."""

    told: str
    commit: str


class Page:
    """One page: its address, who may see it, and what was answered on it."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://{HOST}:{port}"
        self._host = f"{HOST}:{port}"
        self._cookie = f"silt-{port}"
        self._secret, self._token = token_urlsafe(24), token_urlsafe(24)
        self._once = set[str]()
        self._done = deque[Done](maxlen=MOST_DONE)
        self._at_once = Lock()
        self._templates = environment()

    @property
    def address(self) -> str:
        """The address with the token, to be printed."""
        return f"{self.origin}/?token={self._token}"

    def address_once(self) -> str:
        """One that is good for one use: it stands on the browser's command line, for other users to see."""
        token = token_urlsafe(24)
        self._once.add(token)
        return f"{self.origin}/?token={token}"

    def app(self) -> Starlette:
        """What uvicorn serves."""
        routes = [
            Route("/", self._route(pages.waits)),
            Route("/memories", self._route(pages.memories)),
            Route("/memory", self._route(pages.memory)),
            Route("/graph", self._route(pages.graph)),
            Route("/timeline", self._route(pages.timeline)),
            Route("/cost", self._route(pages.cost)),
            Route("/answer", self._route(self._answer), methods=["POST"]),
            Route("/undo", self._route(self._undo), methods=["POST"]),
            *(Route(f"/{name}", _file(name), methods=["GET"]) for name in FILES),
        ]
        return Starlette(routes=routes, middleware=[Middleware(BaseHTTPMiddleware, dispatch=self._guard)])

    async def _guard(self, request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        """Answer a request that may be answered; each answer has the headers that protect it."""
        response: Response
        if why := self._foreign(request):
            response = PlainTextResponse(f"refused: {why}\n", 403)
        elif self._knows(request.cookies.get(self._cookie, ""), self._secret):
            entered = request.url.path == "/" and "token" in request.query_params
            response = RedirectResponse("/", 303) if entered else await go_on(request)
        elif self._takes(request):
            response = RedirectResponse("/", 303)  # so that the token does not stay in the address
            response.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict")
        else:
            response = PlainTextResponse(NO_KEY, 403)
        response.headers.update(HEADERS)
        return response

    def _foreign(self, request: Request) -> str:
        """Why a request does not come from our page or from the user; "" when it does."""
        origins = request.headers.getlist("origin")
        if request.headers.getlist("host") != [self._host]:
            return "the Host header names another host"
        if any(origin != self.origin for origin in origins) or (request.method == "POST" and not origins):
            return "another page sent it"
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "another page sent it"
        return ""

    def _takes(self, request: Request) -> bool:
        """Whether a request brings a token; one that is good for one use is used up."""
        token = request.query_params.get("token", "")
        if request.method != "GET" or request.url.path != "/":
            return False
        if self._knows(token, self._token):
            return True
        with suppress(KeyError):
            self._once.remove(token)
            return True
        return False

    @staticmethod
    def _knows(given: str, secret: str) -> bool:
        return compare_digest(given.encode("utf-8", "replace"), secret.encode())

    def _route(
        self, show: Callable[[Context, Fields], pages.Shown]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            body = b""
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    return PlainTextResponse("refused: the request is too large\n", 413)
            form = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
            fields = {**request.query_params, **dict(form)}
            return await run_in_threadpool(self._respond, show, fields)

        return respond

    def _respond(self, show: Callable[[Context, Fields], pages.Shown], fields: Fields) -> Response:
        """One request at a time: what it works with is opened for it, as for a command."""
        with self._at_once:
            try:
                with Context(patience=PATIENCE) as context:
                    shown = show(context, fields)
                    notes = [*filter(None, [context.store.lacks]), *context.store.complaints]
            except SiltError as error:
                kinds = {EntryError: 404, Transient: 409}
                status = next((code for kind, code in kinds.items() if isinstance(error, kind)), 400)
                shown, notes = pages.Shown("said.html", {}, str(error), status), []
            done = self._done[-1] if self._done else None
            template = self._templates.get_template(shown.template)
            text = template.render(**shown.values, said=shown.said, notes=notes, done=done)
            return HTMLResponse(text, shown.status)

    def _answer(self, context: Context, fields: Fields) -> pages.Shown:
        given = [fields.get(name, "") for name in ("kind", "id", "answer", "seen")]
        return self._acted(context, fields, lambda: self._note(*answer(context, *given)))

    def _note(self, told: str, commit: str | None) -> str:
        if commit is not None:
            self._done.append(Done(told, commit))
        return told

    def _undo(self, context: Context, fields: Fields) -> pages.Shown:
        """Take back what the form names: an answer given here, or a run of the timeline."""

        def take_back() -> str:
            commit = fields.get("commit", "") or "none"
            undone = undo(context.store, commit, context.store.clock)
            rebuild(context)
            self._done = deque([one for one in self._done if one.commit != commit], MOST_DONE)
            left = [f"{path} was left alone: {why}" for path, why in undone.left]
            return "; ".join([told_of(undone), *left])

        return self._acted(context, fields, take_back)

    def _acted(self, context: Context, fields: Fields, act: Callable[[], str]) -> pages.Shown:
        """Do something, and show the page where it was asked for, with what came of it."""
        status = 200
        try:
            context.store.check_git()
            said = act()
        except SiltError as error:
            said, status = str(error), 409
        show = pages.timeline if fields.get("back") == "timeline" else pages.waits
        return show(context, {})._replace(said=said, status=status)


def _file(name: str) -> Callable[[Request], Response]:
    content = (FOLDER / "static" / name).read_bytes()
    return lambda _: Response(content, media_type=FILES[name])


def serve(tell: Callable[[str], None], browse: Callable[[str], object] | None) -> None:
    """Serve a page at a free port until Ctrl-C. When it can be opened, `tell` is told its address, and
    `browse` one that is good for one use."""
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        listening.listen(64)
        page = Page(listening.getsockname()[1])
        tell(page.address)
        if browse is not None:
            # Some browsers keep whoever starts them until they are closed.
            Thread(target=browse, args=[page.address_once()], daemon=True).start()
        config = uvicorn.Config(
            page.app(),
            log_level="error",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            proxy_headers=False,
        )
        with suppress(KeyboardInterrupt):  # the way to end it
            uvicorn.Server(config).run(sockets=[listening])
