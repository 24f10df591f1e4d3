# shellcheck shell=bash
# given: tool directory
wp() { php -d memory_limit=512M "$tool" --path="$directory" "$@"; }

wp core is-installed || fail "WordPress does not work now, so it was not updated: repair it first."
# The lock of WordPress's own updater is valid for 15 minutes; an older one was left behind.
lock=$(wp option get core_updater.lock 2> /dev/null) || lock=''
if [[ $lock =~ ^[0-9]+$ ]] && ((lock > $(date +%s) - 900)); then
  fail "An update that was started in WordPress itself is running: try again in a quarter of an hour."
fi
[[ ! -e $directory/.maintenance ]] || fail "WordPress is in maintenance mode: an update in it is running or has failed."
echo "WordPress $(wp core version) works, and no other update is running."
