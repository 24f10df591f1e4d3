# shellcheck shell=bash disable=SC2034
# given: name maintenance scheme user paths texts
# Requests pages of the application from nginx, as a visitor would, and searches each for a text.
curl_config() {
  # The password of the site, on standard input instead of in the arguments.
  [[ ! $user ]] || printf 'user = "%s:%s"\n' "$user" "$(sed 's/[\\"]/\\&/g' "$LONGSHORE_SECRETS/site-password")"
}
if [[ -e $maintenance ]]; then
  echo "The site is in maintenance mode, so its pages were not looked at."
  exit
fi
page=$(mktemp)
scratch=$page
# In blocks of 1024 bytes. A page without an end would fill the disk.
largest=20480
for ((at = 0; at < ${#paths[@]}; at++)); do
  status=''
  for ((tries = 0; tries < 5; tries++)); do
    # Redirects to elsewhere end at the discard port: the application must not lead a request, which root sends, to another
    # service of the server.
    status=$(
      ulimit -f "$largest"
      curl_config | curl --config - --silent --insecure --noproxy '*' --max-time 30 --location --max-redirs 5 \
        --connect-to "$name:80:127.0.0.1:80" --connect-to "$name:443:127.0.0.1:443" --connect-to '::127.0.0.1:9' \
        --output "$page" --write-out '%{http_code}' -- "$scheme://$name${paths[at]}"
    ) || true
    if [[ $status = 2?? ]] && grep -qF -- "${texts[at]}" "$page"; then continue 2; fi
    sleep 0.3
  done
  if [[ $status = 2?? ]]; then
    fail "$scheme://$name${paths[at]} answers $status, but the page is not the application's."
  fi
  fail "$scheme://$name${paths[at]} answers ${status:-nothing}."
done
echo "$scheme://$name answers."
