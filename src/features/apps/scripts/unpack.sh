# shellcheck shell=bash
# given: archive directory
umask 022
mkdir -p -- "$directory"
cd -- "$directory"
count=$(tar --extract --verbose --strip-components=1 --no-same-owner --file="$archive" | wc -l)
echo "Unpacked $count files and directories."
