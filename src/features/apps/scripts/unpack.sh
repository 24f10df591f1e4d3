# shellcheck shell=bash disable=SC2154,SC2164
umask 022
mkdir -p -- "$directory"
cd -- "$directory"
count=$(tar --extract --verbose --strip-components=1 --no-same-owner --file="$archive" | wc -l)
echo "Unpacked $count files and directories."
