# shellcheck shell=bash
# uses: runner/put-link.sh, put-nginx.sh
# given: file http https http6 https6 version
if [ -e /proc/net/if_inet6 ]; then
  http=$http6 https=$https6
fi
if ! dpkg --compare-versions "$version" ge 1.19.4; then
  mkdir -p /etc/longshore/tls
  [ -s /etc/longshore/tls/default.crt ] ||
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=invalid \
      -keyout /etc/longshore/tls/default.key -out /etc/longshore/tls/default.crt 2> /dev/null
  https=${https/ssl_reject_handshake on;/ssl_certificate /etc/longshore/tls/default.crt;
  ssl_certificate_key /etc/longshore/tls/default.key;
  return 444;}
fi
# The distribution's own default site claims the same place.
if [ -L /etc/nginx/sites-enabled/default ]; then rm /etc/nginx/sites-enabled/default; fi
put_nginx "$file" "$http$https"
put_link ../sites-available/longshore-default.conf /etc/nginx/sites-enabled/longshore-default.conf
nginx -t -q || { rm /etc/nginx/sites-enabled/longshore-default.conf; fail "Another site claims to be the default."; }
echo "Names that no site serves get 404."
