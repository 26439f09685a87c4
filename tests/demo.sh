#!/bin/sh
# demo.sh FOLDER: the main job on the transcripts of tests/data/demo, into a new store in FOLDER.
#
# `make run` calls it. Nothing outside FOLDER is read or written: no key, no network, none of your settings.
# PYTHON names the interpreter that has siltstone installed (default: python3).
set -eu

[ $# = 1 ] || { echo "usage: demo.sh FOLDER" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
python=${PYTHON:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
if [ -e "$folder/store" ] || [ -e "$folder/state" ]; then
    echo "demo.sh: $folder already contains a demo; remove it or name another folder" >&2
    exit 2
fi

for name in $(env | sed -nE 's/^((SILT|MEMORY|GIT)_[A-Z_]*|[A-Z]+_API_KEY)=.*/\1/p'); do
    unset "$name"
done
export PAGER=cat
export SILT_HOME="$folder/store" SILT_STATE="$folder/state" SILT_CONFIG="$folder/config.toml"
silt() { "$python" -m siltstone "$@"; }
part() { printf '\n== %s\n' "$1"; }

part "Transcripts of the four agents, as they left them"
"$python" "$here/data/demo/unpack.py" "$folder/agents"
(cd "$folder/agents" && find . -name '*.jsonl' -o -name '*.db' | sort)

# A store inside another repository (this clone) needs its own repository first.
git init -q "$SILT_HOME"

part "silt run: read, extract, prove, merge, commit"
silt run --idle 0 \
    --root "claude=$folder/agents/claude" --root "codex=$folder/agents/codex" \
    --root "opencode=$folder/agents/opencode" --root "gemini=$folder/agents/gemini"

part "silt compact: what the run has not already compacted"
silt compact

part "What was learned (silt list)"
silt list

part "What was replaced (silt list --archived)"
silt list --archived | grep archived || true

part "What was rejected, and why (silt log --rejected)"
silt log --rejected

part "Waiting for your review (silt inbox)"
silt inbox </dev/null

part "Contradictions (silt conflicts)"
silt conflicts </dev/null

part "The index (MEMORY.md)"
cat "$SILT_HOME/MEMORY.md"
for index in "$SILT_HOME"/projects/*/MEMORY.md; do
    printf '\n-- %s\n' "${index#"$SILT_HOME"/}"
    cat "$index"
done

part "What an agent in /home/dev/heron is shown (silt inject)"
silt inject --agent claude --cwd /home/dev/heron

part "How it came about (git log of the store)"
git -C "$SILT_HOME" log --format='%h %s'

cat <<END

Done. Nine sessions of four agents became the memories above, each proved by a quote, as files in git.
Nothing was sent anywhere. Your own sessions: silt install, then silt run. Look around here:
  SILT_HOME=$SILT_HOME SILT_STATE=$SILT_STATE $python -m siltstone list
END
