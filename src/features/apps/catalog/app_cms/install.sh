# shellcheck shell=bash disable=SC2016
# given: tool directory domain title username email
wp() { php -d memory_limit=512M "$tool" --path="$directory" "$@"; }

# The files are verified while the tables are made, since loading WP-CLI takes longer than most of its commands.
wp core verify-checksums &
verifying=$!
# The password is passed on standard input, since every process of the server can read arguments.
wp core install --url="http://$domain" --title="$title" --admin_user="$username" --admin_email="$email" \
  --skip-email --prompt=admin_password < <(cat -- "$LONGSHORE_SECRETS/admin-password"; echo) > /dev/null
wait "$verifying"
php -r 'require $argv[1]; echo "Version $wp_version\n";' "$directory/wp-includes/version.php"
