# shellcheck shell=bash disable=SC2154,SC2164
umask 022
mkdir -p -- "$directory"
cd -- "$directory"
tar --extract --strip-components=1 --no-same-owner --file="$archive"
echo "Unpacked $(find . -type f | wc -l) files."
