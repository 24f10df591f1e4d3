# shellcheck shell=bash disable=SC2154
wp() { php -d memory_limit=512M "$tool" --path="$directory" "$@"; }

# The password comes on standard input: arguments can be read by every process of the server.
wp core install --url="http://$domain" --title="$title" --admin_user="$username" --admin_email="$email" \
  --skip-email --prompt=admin_password < <(cat -- "$LONGSHORE_SECRETS/admin-password"; echo) > /dev/null
wp core is-installed || fail "WordPress does not find itself installed."
wp core verify-checksums
version=$(wp core version)
echo "Version $version"
