import { serverPaths } from "../layout.ts";
import { fact, needPackages } from "../runner/functions.ts";
import { oneAtATime } from "../runner/lock.ts";
import { functionOf, scriptsBeside, setBefore, textsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";

const script = scriptsBeside(import.meta.url);
const text = textsBeside(import.meta.url);

/** `put_nginx PATH CONTENT`: writes a file of nginx, and puts the former one back when nginx rejects it. */
export const putNginx: Script = functionOf(new URL("put-nginx.sh", import.meta.url), "put_nginx");

/** nginx as a whole, with what only some versions know. */
const main = (ofVersion: readonly string[]): string =>
  text("nginx.conf").replace(
    "keepalive_requests 10000;\n",
    (line) => line + ofVersion.map((directive) => `    ${directive}\n`).join(""),
  );

/** On a reload, older versions close idle connections at once. */
const keepIdle = ["keepalive_min_timeout 10s;"];
/** Newer versions use `large_client_header_buffers` for HTTP/2 too. */
const ownHttp2Limits = ["http2_max_field_size 36k;", "http2_max_header_size 144k;"];

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
  sh`${needPackages} nginx`,
  nginxVersion,
  sh`
    ${fact} nginx_version "$version"
    echo "nginx $version is installed."`,
);

/** Restarts nginx after a crash. In force at once, without a restart. */
export const writeNginxRestart: Script = script("write-restart.sh", { file: nginxFiles.dropIn, settings: dropIn });

/** The main file. */
export const writeNginxMain: Script = lines(
  nginxVersion,
  sh`
    if dpkg --compare-versions "$version" ge 1.27.4; then
      ${putNginx} ${nginxFiles.main} ${main(keepIdle)}
    elif dpkg --compare-versions "$version" ge 1.19.7; then
      ${putNginx} ${nginxFiles.main} ${main([])}
    else
      ${putNginx} ${nginxFiles.main} ${main(ownHttp2Limits)}
    fi
    echo "nginx reads its sites from /etc/nginx/sites-enabled."`,
);

/** TLS settings that every site inherits. */
export const writeNginxTls: Script = sh`
  ${putNginx} ${nginxFiles.tls} ${text("tls.conf")}
  echo "TLS 1.2 and 1.3 with Mozilla's intermediate ciphers."`;

/** HTTP/3 for every site with TLS, where nginx was built with it. */
export const writeNginxHttp3: Script = script("write-http3.sh", {
  default_site: http3Default(""),
  site: http3Site(""),
  default_site6: http3Default("    listen [::]:443 quic reuseport default_server;\n"),
  site6: http3Site("listen [::]:443 quic;\n"),
  default_file: nginxFiles.http3,
  site_file: nginxFiles.http3Site,
});

/** HTTP/2 and nothing newer: a reload of nginx loses requests over HTTP/3. */
export const removeNginxHttp3: Script = sh`
  ${oneAtATime}
  rm -f -- ${[nginxFiles.http3Site, nginxFiles.http3]}
  echo "Sites are served over HTTP/2."`;

export const brotliModules = ["libnginx-mod-http-brotli-filter", "libnginx-mod-http-brotli-static"] as const;

/** Brotli, where the distribution packages the modules for its nginx; elsewhere only gzip. */
export const writeNginxBrotli: Script = script("write-brotli.sh", {
  modules: brotliModules,
  file: nginxFiles.brotli,
  settings: text("brotli.conf"),
});

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
  script("write-default-site.sh", {
    version: setBefore,
    file: nginxFiles.defaultSite,
    http: defaultHttp(""),
    https: defaultHttps(""),
    http6: defaultHttp("    listen [::]:80 default_server;\n"),
    https6: defaultHttps("    listen [::]:443 ssl default_server;\n"),
  }),
);

/** Running, enabled, and with the current files; then checked over HTTP. */
export const startNginx: Script = script("start.sh", {
  files: [
    "/etc/nginx/nginx.conf",
    "/etc/nginx/conf.d",
    "/etc/nginx/sites-enabled",
    nginxFiles.tls,
    nginxFiles.brotli,
    nginxFiles.defaultSite,
  ],
});
