#!/bin/bash
# Installs WordPress as a person with a shell would: what the catalog's installation is compared to.
#   bare-wordpress.sh install MIRROR VERSION DOMAIN | remove DOMAIN
set -euo pipefail

root=/srv/bare
version_of_php() { dpkg-query -W -f '${Depends}' php-fpm | grep -oP 'php\K[0-9]+\.[0-9]+(?=-fpm)' | head -n 1; }

install_wordpress() {
  local mirror=$1 version=$2 domain=$3 password php
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  useradd --system --user-group --home-dir "$root" --shell /usr/sbin/nologin bare
  usermod --append --groups bare www-data
  mariadb <<<"CREATE DATABASE bare CHARACTER SET utf8mb4; CREATE USER bare@localhost IDENTIFIED BY '$password'; GRANT ALL ON bare.* TO bare@localhost;"
  mkdir -p "$root"
  curl -fsS "$mirror/app_cms/wordpress-$version.tar.gz" | tar -xz --strip-components=1 -C "$root"
  curl -fsS -o "$root/wp-cli.phar" "$mirror/app_cms/wp-cli-2.12.0.phar"
  cat >"$root/wp-config.php" <<PHP
<?php
define('DB_NAME', 'bare'); define('DB_USER', 'bare'); define('DB_PASSWORD', '$password'); define('DB_HOST', 'localhost');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
\$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
PHP
  chown -R bare:bare "$root"
  runuser -u bare -- php "$root/wp-cli.phar" --path="$root" core install --url="http://$domain" --title=Bare --admin_user=admin \
    --admin_email=admin@example.com --skip-email --prompt=admin_password <<<"$password" >/dev/null
  runuser -u bare -- php "$root/wp-cli.phar" --path="$root" core verify-checksums >/dev/null
  php=$(version_of_php)
  cat >/etc/bare-fpm.conf <<CONF
[global]
daemonize = no
error_log = /dev/null
[bare]
user = bare
group = bare
listen = /run/bare.sock
listen.group = www-data
listen.mode = 0660
pm = ondemand
pm.max_children = 20
CONF
  systemd-run --quiet --unit=bare-php --service-type=notify "/usr/sbin/php-fpm$php" --nodaemonize --fpm-config /etc/bare-fpm.conf
  cat >/etc/nginx/sites-enabled/bare.conf <<CONF
server {
    listen 80;
    server_name $domain;
    root $root;
    index index.php;
    try_files \$uri \$uri/ /index.php?\$query_string;
    location ~ \.php\$ {
        include /etc/nginx/fastcgi_params;
        fastcgi_param SCRIPT_FILENAME \$document_root\$fastcgi_script_name;
        fastcgi_pass unix:/run/bare.sock;
    }
}
CONF
  nginx -t -q
  systemctl reload nginx
  until curl -s -H "Host: $domain" http://127.0.0.1/ | grep -qF '<title>Bare</title>'; do sleep 0.02; done
}

remove_wordpress() {
  rm -rf /etc/nginx/sites-enabled/bare.conf "$root" /etc/bare-fpm.conf
  systemctl reload nginx
  systemctl stop bare-php
  mariadb <<<"DROP DATABASE bare; DROP USER bare@localhost;"
  gpasswd --delete www-data bare >/dev/null
  userdel bare
}

"$1_wordpress" "${@:2}"
