# shellcheck shell=bash disable=SC2154
wp() { php -d memory_limit=512M "$tool" --path="$directory" "$@"; }

# Longshore's own files hold the password and what people wrote; only the password must stay out of arguments.
wp core install --url="http://$domain" --title="$(cat -- "$LONGSHORE_SECRETS/site-title")" \
  --admin_user="$(cat -- "$LONGSHORE_SECRETS/admin-username")" --admin_email="$(cat -- "$LONGSHORE_SECRETS/admin-email")" \
  --skip-email --prompt=admin_password < <(cat -- "$LONGSHORE_SECRETS/admin-password"; echo) > /dev/null
wp core is-installed || fail "WordPress does not find itself installed."
wp core verify-checksums
version=$(wp core version)
echo "Version $version"
