# shellcheck shell=bash
# uses: site-functions.sh, http2.sh, runner/put-file.sh, runner/put-link.sh, runner/fact.sh
# given: content shared_content shared
# Writes a site. `content` and `shared_content`: the texts.

spell_http2
present=()
[ ! -e "$available" ] || present=("$available")
mapfile -t sums < <(exec sha256sum -- <(printf '%s' "$content") "${present[@]}")
sum=${sums[0]%% *}
if [ -s "$written" ]; then
  if [ -e "$available" ]; then
    keep_hand_made "$available" "${sums[1]%% *}"
  else
    echo "$available was removed by hand; it is written again."
    fact web_server_drift removed
  fi
  if [ -e "$enabled" ] && [ ! -L "$enabled" ]; then
    read -r sum_of_enabled _ < <(sha256sum < "$enabled")
    keep_hand_made "$enabled" "$sum_of_enabled"
  fi
fi
# A second name will do: the new file is another one, moved to the first.
[ ! -e "$available" ] || ln -- "$available" "$available.former"
# Known before it is written: a run that is cut off in between finds its own file.
is_ours "$sum" || echo "$sum" >> "$written"
wrote=$(put_file "$shared" 0644 "$shared_content" && put_file "$available" 0640 "$content")
if ! [[ -L $enabled && $enabled -ef $available ]]; then
  wrote+=$(put_link "../sites-available/${available##*/}" "$enabled")
fi
