import { resolve } from "node:path";
import type { Settings } from "./setting.ts";
import { hostName, integer, isDomain, list } from "./values.ts";

/** HTTPS of its own. */
export const httpsSettings = {
  domains: {
    env: "LONGSHORE_DOMAIN",
    flag: "--domain",
    ...list("domain names such as panel.example.com", isDomain),
    default: "",
    about:
      "The names under which browsers reach this installation. With them it serves HTTPS itself, with a certificate that it orders and renews, and `LONGSHORE_PUBLIC_URL` defaults to the first one. Set it for all processes if there are several. Ordering agrees to the terms of service of the authority (`LONGSHORE_ACME_DIRECTORY`).",
  },
  httpsHost: {
    env: "LONGSHORE_HTTPS_HOST",
    type: hostName.type,
    default: "::",
    about: "With `LONGSHORE_DOMAIN`, the address to serve HTTPS on, and HTTP for its redirect; `::` is all of them.",
    parse: hostName.parse,
  },
  httpsPort: {
    env: "LONGSHORE_HTTPS_PORT",
    type: `${integer(1, 65_535).type}, or off`,
    default: "443",
    about:
      "With `LONGSHORE_DOMAIN`, the port for HTTPS. The authority and browsers ask at 443: forward that to another one. `off` where a web server in front serves HTTPS: Longshore orders the certificate all the same, keeps it with its key in `tls/certificate.pem` in the data directory, and answers the authority at `LONGSHORE_PORT`.",
    parse: (text): number | "off" | undefined => (text === "off" ? text : integer(1, 65_535).parse(text)),
  },
  httpPort: {
    env: "LONGSHORE_HTTP_PORT",
    type: `${integer(1, 65_535).type}, or off`,
    default: "80",
    about:
      "With `LONGSHORE_DOMAIN`, the port that redirects to HTTPS and answers the authority. `off` where another program has it: then the authority is answered over HTTPS.",
    parse: (text): number | "off" | undefined => (text === "off" ? text : integer(1, 65_535).parse(text)),
  },
  tlsCertificateFile: {
    env: "LONGSHORE_TLS_CERT",
    type: "a file of certificates (PEM)",
    about:
      "With `LONGSHORE_DOMAIN`, a certificate of your own with its chain, in place of one that Longshore orders. It is read again when it changes.",
    parse: (text): string => resolve(text),
  },
  tlsKeyFile: {
    env: "LONGSHORE_TLS_KEY",
    type: "a file with a private key (PEM)",
    about: "The key of `LONGSHORE_TLS_CERT`, without a password.",
    parse: (text): string => resolve(text),
  },
} as const satisfies Settings;
