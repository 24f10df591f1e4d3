# shellcheck shell=bash
# uses: put-nginx.sh
# given: default_site site default_site6 site6 default_file site_file
if ! nginx -V 2>&1 | grep -q -e --with-http_v3_module; then
  echo "This nginx has no HTTP/3: sites are served over HTTP/2."
  exit
fi
if [ -e /proc/net/if_inet6 ]; then
  default_site=$default_site6 site=$site6
fi
put_nginx "$default_file" "$default_site"
put_nginx "$site_file" "$site"
echo "Sites are served over HTTP/3, too."
