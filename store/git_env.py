"""The environment in which git is deaf to everything around it but the store's own repository.

Measured and tried: inherited GIT_* variables, the user's and the system's
configuration, hooks, signing, templates, attributes and line-ending rules must neither break a
memory commit nor change a byte of it.
"""

import os
from collections.abc import Mapping
from pathlib import Path

OLDEST = (2, 32)
"""GIT_CONFIG_COUNT came with 2.31, GIT_CONFIG_GLOBAL with 2.32: without them hooks would run."""

_SETTINGS = {
    "user.name": "siltstone",
    "user.email": "siltstone@localhost",
    "commit.gpgSign": "false",
    "tag.gpgSign": "false",
    "core.hooksPath": os.devnull,
    "core.bare": "false",
    "core.autocrlf": "false",
    "core.safecrlf": "false",
    "core.eol": "lf",
    "core.quotePath": "false",
    "core.fsmonitor": "false",
    "core.fileMode": "false",
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.fsync": "committed,reference",
    "core.splitIndex": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "core.pager": "cat",
    "color.ui": "false",
    "commit.template": "",
    "commit.verbose": "false",
    "i18n.commitEncoding": "utf-8",
    "i18n.logOutputEncoding": "utf-8",
    "log.showSignature": "false",
    "log.follow": "false",
    "status.showUntrackedFiles": "all",
    "status.renames": "false",
    "diff.ignoreSubmodules": "none",
    "diff.noprefix": "false",
    "protocol.ext.allow": "never",
    "core.longpaths": "true",
}


def hermetic(base: Mapping[str, str], git_dir: Path, root: Path) -> dict[str, str]:
    """The environment for git: `base` without its GIT_*, pinned to one repository and our settings."""
    env = {key: value for key, value in base.items() if not key.startswith("GIT_")}
    env |= {
        "GIT_DIR": str(git_dir),
        "GIT_WORK_TREE": str(root),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": "true",
        "LC_ALL": "C",
        "GIT_CONFIG_COUNT": str(len(_SETTINGS)),
    }
    for n, (key, value) in enumerate(_SETTINGS.items()):
        env[f"GIT_CONFIG_KEY_{n}"], env[f"GIT_CONFIG_VALUE_{n}"] = key, value
    return env
