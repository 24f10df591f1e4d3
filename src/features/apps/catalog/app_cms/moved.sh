# shellcheck shell=bash disable=SC2016
# given: directory domain
# Without plugins, some of which redirect every visitor. WordPress exits with its own error page when it cannot reach its
# database.
said=$(php -d memory_limit=512M -r '
  [, $directory, $_SERVER["HTTP_HOST"]] = $argv;
  define("SHORTINIT", true);
  require "$directory/wp-load.php";
  echo is_blog_installed() ? "\nWordPress $wp_version finds its data." : "\nIts database is empty.";' "$directory" "$domain") || true
found=${said##*$'\n'}
if [[ $found != "WordPress "*" finds its data." ]]; then
  fail "WordPress does not find its data here: $(tr -s '[:space:]' ' ' <<< "$said" | tail -c 300)"
fi
echo "$found"
