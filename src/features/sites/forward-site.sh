# shellcheck shell=bash
# uses: http2.sh, nginx/reload.sh, runner/put-file.sh, runner/put-link.sh
# given: content shared_content shared available enabled pid absent
# Makes nginx forward the visitors of a project that has moved. `content` and `shared_content`: the texts; `shared`, `available` and
# `enabled`: files for nginx; `pid`: the file of nginx; `absent`: a directory that must not exist; empty: none.
if [[ -n $absent && -e $absent ]]; then
  echo "The project is on this server: it serves its visitors itself."
  exit
fi
spell_http2
wrote=$(put_file "$shared" 0644 "$shared_content" && put_file "$available" 0640 "$content")
# The site that the project had here.
rm -f -- "$available.former"
if ! [[ -L $enabled && $enabled -ef $available ]]; then
  wrote+=$(put_link "../sites-available/${available##*/}" "$enabled")
fi
# The marker is made after the reload: a run that was cut off between the two is made up for.
if [[ -z $wrote && $available.served -nt $available ]]; then
  echo "Visitors are forwarded as they should be already."
  exit
fi
if ! reload_nginx "$pid"; then
  printf '%s\n' "$answer"
  # nginx could not start again with a file that it rejects.
  rm -f -- "$enabled"
  reason=$(sed -nE 's/.*\[emerg\] ([0-9#]+: )?//p' <<< "$answer" | head -n 1)
  fail "nginx rejects the settings that forward visitors: ${reason:-see above}."
fi
: > "$available.served"
echo "Visitors who still come here are forwarded."
