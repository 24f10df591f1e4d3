# shellcheck shell=bash
# uses: stop.sh, git/as-git.sh
# given: node_files node_objects longest_file longest_other node_setting
# `read_files` puts names and texts of the files that may ask for a version into `asking`. `node_files` and `node_objects`: their
# paths, for people and for git; `longest_file` and `longest_other`: in bytes; the latter of files that may ask for none,
# which together may have twice as many.

# Without zero bytes, of which bash would warn. It has the size that was seen: an object does not change.
take_text() { { text=$(as_git cat-file blob "$object"); } 2> /dev/null; }
read_files() {
  local line at=-1 object size name text all=0
  # A setting wins over the files.
  if [[ $node_setting ]]; then named=yes; return; fi
  while IFS= read -r line; do
    case $line in
      # A link that leads nowhere inside of the commit, and on the next line where it leads.
      'symlink '* | 'dangling '* | 'loop '* | 'notdir '*) IFS= read -r line || true; line='' ;;
    esac
    at=$((at + 1))
    # A word of the fetching user's processes that is no number would be evaluated as an expression.
    [[ $line =~ ^blob\ ([0-9a-f]{40,64})\ ([0-9]{1,15})$ && ${node_files[at]-} ]] || continue
    object=${BASH_REMATCH[1]} size=${BASH_REMATCH[2]} name=${node_files[at]}
    case $name in
      *.nvmrc | *.node-version)
        ((size <= longest_file)) || stop "$name is too long for a version of Node: it has $size bytes."
        take_text
        asking+=("$name" "$text")
        break ;;
      *package.json) named=yes ;;
    esac
    # Each of the directories above may have such files.
    if ((size > longest_other || all + size > 2 * longest_other)); then continue; fi
    all=$((all + size))
    take_text
    if [[ $name != *package.json || $text = *'"engines"'* || $text = *'"devEngines"'* || $text = *'"volta"'* ]]; then
      asking+=("$name" "$text")
    fi
  done < <(printf '%s\n' "${node_objects[@]}" |
    as_git cat-file --follow-symlinks --batch-check='%(objecttype) %(objectname) %(objectsize)')
}
