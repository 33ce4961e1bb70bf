#!/bin/sh
# Builds a release from the commit that is checked out: the source, the context of the image, and their hashes. The same
# commit gives the same bytes. The first argument is the folder that they go to, var/release without one.
set -eu
here=$PWD
cd "$(dirname "$0")/.."
out=${1:-$PWD/var/release}
case $out in /*) ;; *) out=$here/$out ;; esac

if [ -n "$(git status --porcelain)" ]; then
    echo "Some changes are not committed. Commit them, or take them back." >&2
    exit 1
fi
version=$(sed -n 's/^VERSION = "\(.*\)"$/\1/p' wargame/version.py)
case $version in
    *-dev) version=$version+$(git rev-parse HEAD | cut -c 1-10) ;;
    *)
        if [ "$(git describe --tags --exact-match 2>/dev/null)" != "v$version" ]; then
            echo "Version $version has no tag here. Run: git tag -a v$version" >&2
            exit 1
        fi ;;
esac

mkdir -p "$out"
pack() {  # the name, and what goes into it
    name=$1
    shift
    git -c tar.umask=0022 archive --format=tar "$@" | gzip -n -9 > "$out/$name.tar.gz"
}
pack "wargame-$version" --prefix="wargame-$version/" HEAD
# What the Containerfile copies; paths have no blanks.
# shellcheck disable=SC2046
pack "wargame-$version-image" HEAD deploy/Containerfile \
    $(awk '$1 == "COPY" && $2 !~ /^--/ { for (i = 2; i < NF; i++) print $i }' deploy/Containerfile)
cd "$out"
sha256sum "wargame-$version.tar.gz" "wargame-$version-image.tar.gz" > "wargame-$version.sha256"
echo "$out/wargame-$version.tar.gz"
echo "$out/wargame-$version-image.tar.gz"
