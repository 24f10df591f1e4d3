# shellcheck shell=bash disable=SC2154,SC2016
# WordPress ends by itself, with a page of its own, when it does not reach its database or finds nothing in it.
said=$(php -d memory_limit=512M -r '
  [, $directory, $_SERVER["HTTP_HOST"]] = $argv;
  require "$directory/wp-load.php";
  echo "\nWordPress ", get_bloginfo("version"), " finds its data.";' "$directory" "$domain") || true
found=${said##*$'\n'}
[[ $found = "WordPress "*" finds its data." ]] || fail "WordPress does not find its data here: $(tr -s '[:space:]' ' ' <<< "$said" | tail -c 300)"
echo "$found"
