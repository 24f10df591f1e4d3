# shellcheck shell=bash
# uses: network/request.sh, expectation.sh
# given: server_name scheme locked
# `ask PATH` requests it as a visitor would. `locked`: the status behind a password, or empty.

ask() { if [[ $scheme = https ]]; then https_get "$server_name" "$1"; else http_get 80 "$server_name" "$1"; fi; }
is_answer() { is_expected && [[ $status != "$locked" ]]; }
is_locked() {
  [[ $status && $status = "$locked" ]] || return 1
  echo "$server_name asks for its password here, too: it was not seen what the new release answers."
}
