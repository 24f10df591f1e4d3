# shellcheck shell=bash disable=SC2016
# given: directory port email
cd -- "$directory"
scratch=$(mktemp -d)
ask() { # PATH OPTION…
  local path=$1
  shift
  curl --silent --noproxy '*' --max-time 60 --output "$scratch/answer" --write-out '%{http_code}' "$@" -- "http://127.0.0.1:$port$path"
}
bash .longshore/start "$port" > "$scratch/log" 2>&1 &
n8n=$!
stop() { # SENTENCE
  tail -n 20 -- "$scratch/log"
  kill "$n8n" 2> /dev/null || true
  fail "$1"
}
end=$((SECONDS + 300))
until [[ $(ask /healthz/readiness) = 200 ]]; do
  kill -0 "$n8n" 2> /dev/null || stop "n8n ended before it answered; its own words are above."
  ((SECONDS < end)) || stop "n8n does not answer; its own words are above."
  sleep 0.2
done
# The password is passed on standard input, since every process of the server can read arguments.
status=$(node -e '
  const [email] = process.argv.slice(1);
  const password = require("node:fs").readFileSync(`${process.env.LONGSHORE_SECRETS}/admin-password`, "utf8");
  process.stdout.write(JSON.stringify({ email, password, firstName: "Instance", lastName: "Owner" }));' "$email" |
  ask /rest/owner/setup --header 'Content-Type: application/json' --data-binary @-) || true
if [[ $status != 200 ]]; then
  reason=$(node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).message ?? ""' < "$scratch/answer" 2> /dev/null) || reason=''
  stop "n8n did not accept its owner (${status:-no answer}): $reason"
fi
kill "$n8n"
wait "$n8n" || true
echo "n8n has its tables and its owner."
