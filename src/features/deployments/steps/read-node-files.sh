# shellcheck shell=bash
# uses: stop.sh, git/as-git.sh
# given: node_files node_objects longest_package longest_file node_setting
# `read_files` puts names and texts of the files that may ask for a version into `asking`. `node_files` and `node_objects`: their
# paths, for people and for git; `longest_package` and `longest_file`: in bytes.

# Without zero bytes, of which bash would warn. It has the size that was seen: an object does not change.
take_text() { { text=$(as_git cat-file blob "$object"); } 2> /dev/null; }
read_files() {
  local line at=-1 object size name text
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
    if [[ $name = *package.json ]]; then
      named=yes
      if ((size > longest_package)); then continue; fi
      take_text
      if [[ $text = *'"engines"'* || $text = *'"devEngines"'* ]]; then asking+=("$name" "$text"); fi
    else
      ((size <= longest_file)) || stop "$name is too long for a version of Node: it has $size bytes."
      take_text
      asking+=("$name" "$text")
      break
    fi
  done < <(printf '%s\n' "${node_objects[@]}" |
    as_git cat-file --follow-symlinks --batch-check='%(objecttype) %(objectname) %(objectsize)')
}
