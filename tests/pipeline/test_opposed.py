"""Plain contradictions between memories that nobody set against each other: precision before recall.

The pairs were written before the rules were tuned to them. A false conflict bothers the user at once; a
contradiction that is missed is found by a model's compaction, or by the user.
"""

import pytest

from siltstone.pipeline.merging.opposed import opposed

CONTRADICTIONS = {
    "port": ("the API listens on port 7100", "the API listens on port 8200"),
    "port in other words": ("The API listens on port 7100.", "the API is on port 8200"),
    "money": ("Free shipping starts at 40 EUR.", "Free shipping starts at 50 EUR, and returns are free."),
    "money, other verb": ("free shipping starts at £40", "free shipping is from £50"),
    "cents": ("invoices are rounded to 2 decimals", "invoices are rounded to 4 decimals"),
    "limit": ("the upload limit is 10 MB", "the upload limit is 25 MB"),
    "days": ("backups are kept for 30 days", "backups are kept for 90 days"),
    "branch": ("the default branch is main", "the default branch is develop"),
    "manager": ("the package manager is pnpm", "the package manager is yarn"),
    "hosting": ("hosting is Vercel", "hosting is Netlify"),
    "region": ("the region is eu-west-1", "the region is us-east-1"),
    "tool for a purpose": ("use pnpm for installs", "use npm for installs"),
    "ban": ("never commit to main directly", "always commit to main directly"),
    "liking": ("I like semicolons in TypeScript", "I don't like semicolons in TypeScript"),
    "roles": ("I prefer tabs over spaces", "I prefer spaces over tabs"),
    "numbered, same one": ("pump 3 runs at 20 Hz", "pump 3 runs at 25 Hz"),
    "the same condition": ("if CI fails, retry 2 times", "if CI fails, retry 5 times"),
    "in a heading": (
        "forecast horizon is 10 days for the dashboard",
        "dashboard text: forecast horizon is 14 days",
    ),
    "German port": ("Der API-Server läuft auf Port 7100", "Der API-Server läuft auf Port 8200"),
    "German ban": ("Nie direkt auf main committen", "Direkt auf main committen"),
    "French limit": ("la limite d'envoi est de 10 Mo", "la limite d'envoi est de 25 Mo"),
    "Spanish days": ("las copias se guardan 30 días", "las copias se guardan 90 días"),
    "Chinese port": ("API 监听端口 7100", "API 监听端口 8200"),
    "Chinese manager": ("包管理器是pnpm", "包管理器是yarn"),
    "Japanese timeout": ("タイムアウトは30秒", "タイムアウトは60秒"),
    "Korean port": ("API 서버 포트는 7100", "API 서버 포트는 8200"),
    "what was decided": ("We decided that the API listens on port 7100.", "The API listens on port 8200."),
    "what was decided, in Spanish": (
        "Hemos decidido que la API escucha en el puerto 7100.",
        "La API escucha en el puerto 8200.",
    ),
    "what was decided, in Chinese": ("我们决定API监听7100端口。", "API监听8200端口。"),
    "a no before it": ("The API listens on port 7100.", "No, the API listens on port 8200."),
}

OTHER_SUBJECTS = {
    "ports of two services": (
        "the API listens on port 7100",
        "the checkout server listens on port 9300",
    ),
    "ports, shortly": ("API port is 7100", "checkout server port is 8200"),
    "port of a part": ("the API port is 7100", "the admin API port is 8200"),
    "pumps": (
        "The wharf pump number 1 in hall B must be oiled with grade 3 oil before every tide",
        "The wharf pump number 2 in hall C must be oiled with grade 6 oil before every tide",
    ),
    "numbered things": ("pump 3 runs at 20 Hz", "pump 4 runs at 25 Hz"),
    "tickets": ("ticket 412 is blocked by the vendor", "ticket 587 is blocked by the vendor"),
    "blocked ports": ("port 8080 is blocked by the firewall", "port 9090 is blocked by the firewall"),
    "what somebody did": ("PR 12 fixed the cart", "PR 19 fixed the cart"),
    "sprints": ("Sprint 12 ended on 2026-11-03", "Sprint 13 ended on 2026-11-17"),
    "Chinese chapters": ("第3章需要5张图", "第4章需要7张图"),
    "plans": ("the price of plan A is 10 EUR", "the price of plan B is 20 EUR"),
    "stages as headings": ("staging: the pool has 5 connections", "production: the pool has 50 connections"),
    "stages": ("staging keeps logs for 7 days", "production keeps logs for 90 days"),
    "two logs": ("Commit messages: at most 72 characters", "Log messages: at most 200 characters"),
    "left out subjects": (
        "The API caps uploads, keeps sessions for 7 days",
        "The shop caps uploads and downloads, keeps sessions for 9 days",
    ),
    "two addresses": ("Docs: https://a.example/x?version=1", "Docs: https://a.example/x?version=2"),
    "two days": ("on 2026-11-03 the deploy failed twice", "on 2026-11-09 the deploy failed twice"),
    "two files": ("migrations/001_init.sql creates tables", "migrations/002_init.sql creates tables"),
    "two queues": ("The mail queue is Redis", "The ingest queue is NATS"),
    "two folders": ("Go tests live in tests", "Cypress tests live in e2e"),
    "languages": ("indent Python with 4 spaces", "indent TypeScript with 2 spaces"),
    "two people": ("Anna reviews the billing code on Mondays", "Bob reviews the billing code on Fridays"),
    "two bans": ("never use print in the worker", "use print in the scripts"),
    "German services": ("Der API-Server läuft auf Port 7100", "Der Mail-Server läuft auf Port 8200"),
    "German stages": ("Auf Staging bleiben Logs 7 Tage", "In Produktion bleiben Logs 90 Tage"),
    "French services": ("le serveur API écoute sur le port 7100", "le serveur mail écoute sur le port 8200"),
    "Spanish services": ("el servidor API usa el puerto 7100", "el servidor web usa el puerto 8200"),
    "Chinese services": ("订单服务监听端口 7100", "支付服务监听端口 8200"),
    "Japanese services": ("注文サーバーのポートは7100", "決済サーバーのポートは8200"),
    "Korean services": ("주문 서버 포트는 7100", "결제 서버 포트는 8200"),
}

BOTH_TRUE = {
    "what it uses": ("the project uses TypeScript", "the project uses ESLint"),
    "what it uses too": ("the backend uses Postgres", "the backend uses Redis"),
    "what it runs on": ("the shop runs on Linux", "the shop runs on Kubernetes"),
    "what it is like": ("the API is slow", "the API is public"),
    "what it is": ("the API is REST", "the API is Stripe's"),
    "name and state": ("the default branch is main", "the default branch is protected"),
    "user": ("the user is Anna", "the user is a teacher"),
    "least and most": ("at least 2 reviewers per change", "at most 5 reviewers per change"),
    "minimum and maximum": ("the pool has a minimum of 2 workers", "the pool has a maximum of 8 workers"),
    "rule and its exception": (
        "the rate limit is 100 requests",
        "the rate limit for admins is 500 requests",
    ),
    "for and every": ("raw readings are kept for 90 days", "raw readings are exported every 30 days"),
    "under a condition": (
        "when the flag is off, do not send mails to customers",
        "when the flag is on, send mails to customers",
    ),
    "unless": ("send mails to customers", "unless the order is paid, never send mails to customers"),
    "other conditions": ("on staging, retry 2 times", "in production, retry 5 times"),
    "two facts of one thing": ("the shop opened in 2019", "the shop has 40 suppliers"),
    "German conditions": (
        "Wenn die Pumpe läuft, nie das Ventil öffnen",
        "Wenn die Pumpe steht, das Ventil öffnen",
    ),
    "Chinese uses": ("项目用TypeScript", "项目用ESLint"),
    "two languages in one repository": ("the test framework is pytest", "the test framework is vitest"),
    "two supported": ("Node 18 is supported", "Node 20 is supported"),
}


@pytest.mark.parametrize("pair", CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_a_plain_contradiction_is_seen_from_both_sides(pair: tuple[str, str]) -> None:
    assert opposed(*pair)
    assert opposed(*pair[::-1])


@pytest.mark.parametrize("pair", OTHER_SUBJECTS.values(), ids=OTHER_SUBJECTS.keys())
def test_what_is_said_of_something_else_is_none(pair: tuple[str, str]) -> None:
    assert not opposed(*pair)
    assert not opposed(*pair[::-1])


@pytest.mark.parametrize("pair", BOTH_TRUE.values(), ids=BOTH_TRUE.keys())
def test_what_is_true_beside_the_other_is_none(pair: tuple[str, str]) -> None:
    assert not opposed(*pair)
    assert not opposed(*pair[::-1])
