# shellcheck shell=bash
# uses: stop.sh, git/as-git.sh
# given: user release_directory commit_ref
# Creates the directory of a release.

# Control characters but for the newlines between the three, and Unicode's separators of lines and paragraphs.
one_line() { LC_ALL=C sed -e 's/[\x00-\x1f\x7f]/ /g' -e 's/\xc2[\x80-\x9f]/ /g' -e 's/\xe2\x80[\xa8\xa9]/ /g'; }

mapfile -t described < <(as_git log -1 --format='%H%n%an%n%s' "$commit_ref^{commit}" -- 2> /dev/null | head -c 4096 | one_line)
commit=${described[0]-} author=${described[1]-} message=${described[2]-}
[[ $commit =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ ]] || stop "The mirror of the repository does not hold the commit that was fetched. Deploy again."
install -d -m 750 -o "$user" -g "$user" "$release_directory"
printf 'commit %s\n' "$commit" >> "$LONGSHORE_FACTS"
if [[ $author ]]; then printf 'commit_author %s\n' "${author:0:200}" >> "$LONGSHORE_FACTS"; fi
if [[ $message ]]; then printf 'commit_message %s\n' "${message:0:200}" >> "$LONGSHORE_FACTS"; fi
echo "Fetched commit ${commit:0:12}."
