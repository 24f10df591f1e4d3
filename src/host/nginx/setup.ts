import { readFileSync } from "node:fs";
import { serverPaths } from "../layout.ts";
import { oneAtATime } from "../runner/lock.ts";
import { lines, type Script, sh } from "../sh.ts";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** nginx as a whole. On a reload, nginx older than 1.27.4 closes idle connections at once; newer versions can wait. */
const main = (canKeepIdle: boolean): string =>
  read("nginx.conf").replace(
    "keepalive_requests 10000;\n",
    (line) => line + (canKeepIdle ? "    keepalive_min_timeout 10s;\n" : ""),
  );

const http3Default = (
  listen6: string,
): string => `# Longshore: HTTP/3 for names that no site serves; its workers share the port.
server {
    listen 443 quic reuseport default_server;
${listen6}    server_name _;
    access_log off;
    ssl_reject_handshake on;
}
`;

const http3Site = (listen6: string): string => `# Longshore: HTTP/3 beside HTTP/2, and where browsers find it.
listen 443 quic;
${listen6}set $http3 '';
if ($https) { set $http3 'h3=":443"; ma=86400'; }
add_header Alt-Svc $http3;
`;

// Each project has two logs, which the master opens: the usual limit of 1,024 files is too low for 500 projects. The
// distribution reloads nginx by starting a second nginx, which reads the sites of all projects only to send the signal: half a
// second with 1,000.
const dropIn = `# Longshore
[Service]
Restart=on-failure
RestartSec=1s
LimitNOFILE=65535
ExecReload=
ExecReload=/bin/kill -s HUP $MAINPID
`;

export const nginxFiles = {
  main: "/etc/nginx/nginx.conf",
  tls: "/etc/nginx/conf.d/longshore-tls.conf",
  http3: "/etc/nginx/conf.d/longshore-http3.conf",
  http3Site: `${serverPaths.nginxHttps}/http3.conf`,
  brotli: "/etc/nginx/conf.d/longshore-brotli.conf",
  defaultSite: "/etc/nginx/sites-available/longshore-default.conf",
  dropIn: "/etc/systemd/system/nginx.service.d/longshore.conf",
} as const;

const nginxVersion = sh`
  version=$(nginx -v 2>&1 | sed 's|.*nginx/\\([0-9.]*\\).*|\\1|')`;

/** The installed version, as fact `nginx_version`. */
export const verifyNginx: Script = lines(
  sh`need_packages nginx`,
  nginxVersion,
  sh`
    fact nginx_version "$version"
    echo "nginx $version is installed."`,
);

/** Restarts nginx after a crash. In force at once, without a restart. */
export const writeNginxRestart: Script = sh`
  # shellcheck disable=SC2016 # systemd's variable, not bash's
  put_file ${nginxFiles.dropIn} 0644 ${dropIn}
  if [ "$(systemctl show --property=NeedDaemonReload --value nginx.service)" = yes ]; then systemctl daemon-reload; fi
  master=$(systemctl show --property=MainPID --value nginx.service)
  if [ "$master" -gt 0 ]; then
    prlimit --pid "$master" --nofile="$(prlimit --pid "$master" --nofile --output HARD --noheadings | tr -d ' '):"
  fi
  echo "nginx starts again when it crashes."`;

/** The main file. */
export const writeNginxMain: Script = lines(
  nginxVersion,
  sh`
    if dpkg --compare-versions "$version" ge 1.27.4; then
      put_nginx ${nginxFiles.main} ${main(true)}
    else
      put_nginx ${nginxFiles.main} ${main(false)}
    fi
    echo "nginx reads its sites from /etc/nginx/sites-enabled."`,
);

/** TLS settings that every site inherits. */
export const writeNginxTls: Script = sh`
  put_nginx ${nginxFiles.tls} ${read("tls.conf")}
  echo "TLS 1.2 and 1.3 with Mozilla's intermediate ciphers."`;

/** HTTP/3 for every site with TLS, where nginx was built with it. */
export const writeNginxHttp3: Script = sh`
  if ! nginx -V 2>&1 | grep -q -e --with-http_v3_module; then
    echo "This nginx has no HTTP/3: sites are served over HTTP/2."
    exit
  fi
  default=${http3Default("")} site=${http3Site("")}
  if [ -e /proc/net/if_inet6 ]; then
    default=${http3Default("    listen [::]:443 quic reuseport default_server;\n")}
    site=${http3Site("listen [::]:443 quic;\n")}
  fi
  put_nginx ${nginxFiles.http3} "$default"
  put_nginx ${nginxFiles.http3Site} "$site"
  echo "Sites are served over HTTP/3, too."`;

/** HTTP/2 and nothing newer: a reload of nginx loses requests over HTTP/3. */
export const removeNginxHttp3: Script = sh`
  ${oneAtATime}
  rm -f -- ${[nginxFiles.http3Site, nginxFiles.http3]}
  echo "Sites are served over HTTP/2."`;

const brotliModules = ["libnginx-mod-http-brotli-filter", "libnginx-mod-http-brotli-static"] as const;

/** Brotli, where the distribution packages the modules for its nginx; elsewhere only gzip. */
export const writeNginxBrotli: Script = sh`
  for module in ${brotliModules}; do
    if ! apt-cache show --no-all-versions "$module" > /dev/null 2>&1; then
      echo "This system has no Brotli for nginx: pages are compressed with gzip."
      exit
    fi
  done
  need_packages ${brotliModules}
  put_nginx ${nginxFiles.brotli} ${read("brotli.conf")}
  echo "Pages are compressed with Brotli, or with gzip."`;

const defaultHttp = (listen6: string): string => `# Longshore: what is asked of a name that no site serves.
server {
    listen 80 default_server;
${listen6}    server_name _;
    access_log off;
    return 404;
}
`;

const defaultHttps = (listen6: string): string => `
server {
    listen 443 ssl default_server;
${listen6}    server_name _;
    access_log off;
    ssl_reject_handshake on;
}
`;

/**
 * Requests for unknown names get 404, and no certificate. nginx before 1.19.4 (Ubuntu 22.04) cannot refuse a handshake:
 * there it shows a self-signed certificate without a name.
 */
export const writeNginxDefaultSite: Script = lines(
  nginxVersion,
  sh`
    http=${defaultHttp("")} https=${defaultHttps("")}
    if [ -e /proc/net/if_inet6 ]; then
      http=${defaultHttp("    listen [::]:80 default_server;\n")}
      https=${defaultHttps("    listen [::]:443 ssl default_server;\n")}
    fi
    if ! dpkg --compare-versions "$version" ge 1.19.4; then
      mkdir -p /etc/longshore/tls
      [ -s /etc/longshore/tls/default.crt ] ||
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=invalid \\
          -keyout /etc/longshore/tls/default.key -out /etc/longshore/tls/default.crt 2> /dev/null
      https=\${https/ssl_reject_handshake on;/ssl_certificate /etc/longshore/tls/default.crt;
      ssl_certificate_key /etc/longshore/tls/default.key;
      return 444;}
    fi
    # The distribution's own default site claims the same place.
    if [ -L /etc/nginx/sites-enabled/default ]; then rm /etc/nginx/sites-enabled/default; fi
    put_nginx ${nginxFiles.defaultSite} "$http$https"
    put_link ../sites-available/longshore-default.conf /etc/nginx/sites-enabled/longshore-default.conf
    nginx -t -q || { rm /etc/nginx/sites-enabled/longshore-default.conf; fail "Another site claims to be the default."; }
    echo "Names that no site serves get 404."`,
);

/** Running, enabled, and with the current files; then checked over HTTP. */
export const startNginx: Script = sh`
  ${oneAtATime}
  nginx -t -q || fail "nginx rejects its configuration; the reason is above."
  apply_changes reload nginx.service /etc/nginx/nginx.conf /etc/nginx/conf.d /etc/nginx/sites-enabled \\
    ${nginxFiles.tls} ${nginxFiles.brotli} ${nginxFiles.defaultSite}
  for ((tries = 0; tries < 50; tries++)); do
    answer=$(curl -s --noproxy '*' -o /dev/null -w '%{http_code}' -H 'Host: no-such-site.invalid' http://127.0.0.1/ || true)
    if [ "$answer" = 404 ]; then
      echo "nginx answers on port 80."
      exit
    fi
    sleep 0.1
  done
  fail "nginx runs, but answers $answer instead of 404 for a name that no site serves."`;
