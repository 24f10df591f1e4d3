# shellcheck shell=bash disable=SC2317,SC2329 # functions are called by their names
# given: utf16
# Runs as the user of the unit. Standard input is a dump from anywhere: a file, which is opened again for each look at it. It is
# recognized by its first bytes, and read through what unpacks it.
set -euo pipefail
fail() { printf '%s\n' "$1" >&2; exit 1; }

layers=()
through() { # LAYER…, standard input
  case $# in
    0) cat ;;
    1) "$1" ;;
    *) "$1" | through "${@:2}" ;;
  esac
}
opened() { through "${layers[@]}" < /dev/stdin; }

# A dictionary may have gigabytes.
unpack_xz() { xz -dc --memlimit-decompress=256MiB; }
unpack_zip() { unzip -p /dev/stdin -x '__MACOSX/*' '*.DS_Store'; }
read_utf16() { perl -e "$utf16"; }

# The beginning in hexadecimal digits, since it may be anything.
look() { first=$( (opened 2> /dev/null || true) | head -c 600 | od -An -v -tx1 | tr -d ' \n'); }

needs() { # PROGRAM KIND
  command -v "$1" > /dev/null ||
    fail "The dump is compressed by $2, and the server has no $1. Repeat the setup of the server, or compress the dump with gzip."
}

check_zip() {
  ((${#layers[@]} == 0)) || fail "The dump is a zip archive in another file. Send the dump itself, or compressed by gzip."
  # The lowest bit of its flags.
  [[ ${first:13:1} != [13579bdf] ]] || fail "The zip archive has a password. Send the dump itself, or compressed by gzip."
  local count
  count=$(unzip -Z1 /dev/stdin < /dev/stdin 2> /dev/null | grep -cvE '/$|^__MACOSX/|(^|/)\.DS_Store$' || true)
  [[ $count != 0 ]] || fail "The zip archive is not complete, or holds no file. Send the dump itself, or compressed by gzip."
  [[ $count = 1 ]] || fail "The zip archive holds $count files, and has to hold one: the dump."
}

# Sets `layers`, and `first` to the beginning of what they give.
open_layers() {
  local depth
  for depth in 1 2 3 4; do
    look
    case $first in
      1f8b*) layers+=(zcat) ;;
      425a68*) needs bzip2 bzip2 && layers+=(bzcat) ;;
      fd377a585a00*) needs xz xz && layers+=(unpack_xz) ;;
      28b52ffd* | 5[0-9a-f]2a4d18*) needs zstd zstd && layers+=(zstdcat) ;;
      504b0304* | 504b0506*) check_zip && layers+=(unpack_zip) ;;
      fffe* | feff*) layers+=(read_utf16) ;;
      *) return 0 ;;
    esac
  done
  fail "The dump is packed more than $((depth - 1)) times. Send it compressed once, by gzip."
}

words() { # HEXADECIMAL, prints the text in lower case without the spaces before it
  local text
  text=$(printf %b "$(sed 's/../\\x&/g; s/\\x00//g' <<< "$1")")
  text=${text#$'\xef\xbb\xbf'}
  text=${text#"${text%%[![:space:]]*}"}
  printf %s "${text,,}"
}

# What is no dump in SQL, nor one of PostgreSQL's own formats, which the caller has looked for.
refuse_others() {
  local begin advice='Make a dump in SQL, plain or compressed by gzip.'
  begin=$(words "$first")
  case $first in
    53514c69746520666f726d6174*) fail "It is a database of SQLite, not a dump. $advice" ;;
    377abcaf271c* | 526172211a07* | 04224d18*) fail "The dump is in an archive that the server cannot read. Compress it with gzip." ;;
  esac
  [[ ${first:514:10} != 7573746172 ]] || fail "It is a tar archive, not a dump. Send the dump that is in it."
  case $begin in
    '<!doctype html'* | '<html'* | '<head'* | '<body'*)
      fail "It is a web page, not a dump: where it was downloaded, a page was the answer, often one to sign in. Download it again."
      ;;
    '<'*) fail "It is XML, not SQL. $advice" ;;
    '{'* | '['*) fail "It is JSON, not SQL. $advice" ;;
  esac
  # Text has no NUL.
  [[ ! $first =~ ^(..)*00 ]] || fail "It is not a dump in SQL, but a file in binary. $advice"
}

# One reading of all of it before anything is changed, where it is packed: what is cut is found.
check_whole() {
  local size
  [[ $first ]] || fail "The dump is empty. Look at the program that made it, and export it again."
  ((${#layers[@]} > 0)) || return 0
  size=$(opened 2> /dev/null | wc -c) || fail "The compressed dump is not complete. Export it again, or send it again."
  [[ $size != 0 ]] || fail "The dump is empty. Look at the program that made it, and export it again."
}
