# shellcheck shell=bash disable=SC2016
# given: directory environment port domain title owner email
cd -- "$directory"
scratch=$(mktemp -d)
# With the headers of the web server: otherwise Ghost redirects to its address.
ask() { # PATH OPTION…
  local path=$1
  shift
  curl --silent --noproxy '*' --max-time 60 --header "Host: $domain" --header 'X-Forwarded-Proto: https' \
    --output "$scratch/answer" --write-out '%{http_code}' "$@" -- "http://127.0.0.1:$port$path"
}
# shellcheck disable=SC1090
if [[ -r $environment ]]; then set -a; source "$environment"; set +a; fi
NODE_ENV=production url="http://$domain" server__port=$port node index.js > "$scratch/log" 2>&1 &
ghost=$!
stop() { # SENTENCE
  tail -n 20 -- "$scratch/log"
  kill "$ghost" 2> /dev/null || true
  fail "$1"
}
# It makes its tables first, and answers 503 until then.
end=$((SECONDS + 300))
until [[ $(ask /ghost/api/admin/authentication/setup/) = 200 ]]; do
  kill -0 "$ghost" 2> /dev/null || stop "Ghost ended before it answered; its own words are above."
  ((SECONDS < end)) || stop "Ghost does not answer; its own words are above."
  sleep 0.2
done
# The password is passed on standard input, since every process of the server can read arguments.
status=$(node -e '
  const [name, email, blogTitle] = process.argv.slice(1);
  const password = require("node:fs").readFileSync(`${process.env.LONGSHORE_SECRETS}/admin-password`, "utf8");
  process.stdout.write(JSON.stringify({ setup: [{ name, email, password, blogTitle }] }));' "$owner" "$email" "$title" |
  ask /ghost/api/admin/authentication/setup/ --header 'Content-Type: application/json' --data-binary @-) || true
if [[ $status != 201 ]]; then
  reason=$(node -p 'const [e] = JSON.parse(require("node:fs").readFileSync(0, "utf8")).errors; [e.message, e.context].filter(Boolean).join(" ")' \
    < "$scratch/answer" 2> /dev/null) || reason=''
  stop "Ghost did not accept its owner (${status:-no answer}): $reason"
fi
kill "$ghost"
wait "$ghost" || true
echo "Ghost has its tables and its owner."
