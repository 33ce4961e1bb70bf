#!/bin/sh
# Create .venv with exactly the packages of requirements.txt. Does nothing if .venv is up to date.
# PYTHON=... chooses the Python; the default is the first suitable one.
set -eu

VENV=.venv
STAMP=$VENV/requirements.stamp

say() { printf '%s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }

suitable() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; }

find_python() {
    without_venv=
    for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3 python}; do
        suitable "$candidate" || continue
        if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
            python=$candidate
            return
        fi
        without_venv=$candidate
    done
    [ -z "$without_venv" ] || fail "$without_venv can't create virtual environments. Install python3-venv" \
        "(as root: apt-get install python3-venv) and try again."
    fail "No Python 3.11, 3.12 or 3.13 found. Install one, or choose it with PYTHON=/path/to/python."
}

# uv doesn't read pip's configuration. Give it pip's package index.
share_index() {
    index=$("$VENV/bin/python" -m pip config get global.index-url 2>/dev/null || true)
    index=${PIP_INDEX_URL:-$index}
    if [ -n "$index" ] && [ -z "${UV_DEFAULT_INDEX:-}${UV_INDEX_URL:-}" ]; then
        UV_DEFAULT_INDEX=$index
        export UV_DEFAULT_INDEX
    fi
}

# Install uv from its own lines of requirements.txt, so that its hash is checked, too.
install_uv() {
    awk '/^[a-z]/ {ours = /^uv==/} ours' requirements.txt > "$VENV/uv.txt"
    "$VENV/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r "$VENV/uv.txt"
}

install_with_uv() {
    share_index
    install_uv && UV_PYTHON_DOWNLOADS=never "$VENV/bin/python" -m uv pip sync --quiet --require-hashes \
        --python "$VENV/bin/python" requirements.txt
}

install_with_pip() {
    "$VENV/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements.txt
}

wanted=$(cksum < requirements.txt)
if [ -x "$VENV/bin/python" ] && suitable "$VENV/bin/python"; then
    [ "$(cat "$STAMP" 2>/dev/null)" != "$wanted" ] || exit 0
else
    find_python
    say "Creating a virtual environment with $("$python" --version) ..."
    "$python" -m venv --clear "$VENV" || fail "We couldn't create $VENV. See the lines above."
fi
say "Installing $(grep -c '^[a-zA-Z].*==' requirements.txt) pinned packages ..."
if ! install_with_uv; then
    say "uv couldn't install them. Trying pip (slower) ..."
    install_with_pip || fail "We couldn't install the packages. See the lines above. Can you reach a package index?"
fi
printf '%s' "$wanted" > "$STAMP"
say "The virtual environment is ready."
