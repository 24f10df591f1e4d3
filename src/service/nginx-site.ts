import { join } from "node:path";
import type { ServiceLayout } from "./layout.ts";

interface SiteOptions {
  layout: ServiceLayout;
  names: readonly string[];
  /** Where Longshore listens: `127.0.0.1:8080`. */
  upstream: string;
  /** Of nginx, such as `1.22.1`. */
  nginxVersion: string;
  /** Whether this machine has IPv6: nginx refuses to listen on an address of a family that is not there. */
  ipv6: boolean;
}

/** The certificate with its chain and its key: in one file, so that nginx never finds a key of another certificate. */
export const certificateFile = ({ tls }: Pick<ServiceLayout, "tls">): string => join(tls, "certificate.pem");

/** The site of nginx that leads to Longshore: one file, beside those of other sites. */
export function renderSite({ layout, names, upstream, nginxVersion, ipv6 }: SiteOptions): string {
  const certificate = certificateFile(layout);
  const listen = (port: string): string =>
    ["", ...(ipv6 ? ["[::]:"] : [])].map((address) => `    listen ${address}${port};`).join("\n");
  const tls = hasHttp2Directive(nginxVersion) ? `${listen("443 ssl")}\n    http2 on;` : listen("443 ssl http2");
  return `# Longshore itself, not a site of a project. Made by: longshore service install
server {
${listen("80")}
    server_name ${names.join(" ")};
    location /.well-known/acme-challenge/ {
        alias ${layout.challenges}/;
        default_type text/plain;
    }
    location / {
        return 301 https://$host$request_uri;
    }
}

server {
${tls}
    server_name ${names.join(" ")};
    ssl_certificate ${certificate};
    ssl_certificate_key ${certificate};
    ssl_protocols TLSv1.2 TLSv1.3;
    # Longshore has limits of its own; dumps of databases are large.
    client_max_body_size 0;
    proxy_request_buffering off;
    location / {
        proxy_pass http://${upstream};
        proxy_http_version 1.1;
        proxy_set_header Host $host;
        # The address of the visitor alone: nginx is the first proxy that Longshore trusts.
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_buffering off;
        proxy_read_timeout 90s;
    }
}
`;
}

/** nginx 1.25.1 has a directive of its own for HTTP/2, and warns about the former way. */
function hasHttp2Directive(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return major > 1 || (major === 1 && (minor > 25 || (minor === 25 && patch >= 1)));
}
