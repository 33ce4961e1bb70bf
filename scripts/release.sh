#!/bin/sh
# Build a release of the current commit: source, image context and hashes. The same commit gives the same bytes.
# The first argument is the output folder (default: var/release).
set -eu
here=$PWD
cd "$(dirname "$0")/.."
out=${1:-$PWD/var/release}
case $out in /*) ;; *) out=$here/$out ;; esac

if [ -n "$(git status --porcelain)" ]; then
    echo "Some changes are not committed. Commit or discard them." >&2
    exit 1
fi
version=$(sed -n 's/^VERSION = "\(.*\)"$/\1/p' wargame/version.py)
case $version in
    *-dev) version=$version+$(git rev-parse HEAD | cut -c 1-10) ;;
    *)
        if [ "$(git describe --tags --exact-match 2>/dev/null)" != "v$version" ]; then
            echo "This commit has no tag v$version. Run: git tag -a v$version" >&2
            exit 1
        fi ;;
esac

mkdir -p "$out"
pack() {  # name, arguments of git archive
    name=$1
    shift
    git -c tar.umask=0022 archive --format=tar "$@" | gzip -n -9 > "$out/$name.tar.gz"
}
pack "wargame-$version" --prefix="wargame-$version/" HEAD
# Everything the Containerfile copies. Paths have no spaces.
# shellcheck disable=SC2046
pack "wargame-$version-image" HEAD deploy/Containerfile \
    $(awk '$1 == "COPY" && $2 !~ /^--/ { for (i = 2; i < NF; i++) print $i }' deploy/Containerfile)
cd "$out"
sha256sum "wargame-$version.tar.gz" "wargame-$version-image.tar.gz" > "wargame-$version.sha256"
echo "$out/wargame-$version.tar.gz"
echo "$out/wargame-$version-image.tar.gz"
