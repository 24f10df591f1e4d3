import { isDnsServer } from "../lib/dns.ts";
import type { Settings } from "./setting.ts";
import { list, oneOf, url } from "./values.ts";

const webAddress = url("https:", "http:");

/** Where it and its servers look things up and get programs from. */
export const downloadSettings = {
  dnsServers: {
    env: "LONGSHORE_DNS",
    ...list("addresses of DNS servers, such as 9.9.9.9 or 127.0.0.1:5353", isDnsServer),
    default: "",
    about: "The servers asked where a domain points; without it, the system's own DNS servers.",
  },
  nodeMirror: {
    env: "LONGSHORE_NODE_MIRROR",
    ...url("http:", "https:"),
    default: "https://nodejs.org/dist",
    about: "Where managed servers download Node from.",
  },
  phpPackages: {
    env: "LONGSHORE_PHP_PACKAGES",
    type: `${webAddress.type}, or off`,
    parse: (text): string | undefined => (text === "off" ? text : webAddress.parse(text)),
    about:
      "Where managed servers get versions of PHP besides their distribution's from: a mirror of packages.sury.org as `<base>/debian`, and of ppa:ondrej/php as `<base>/ubuntu`, each with its key as `apt.gpg`. Without it, from these archives themselves. `off` adds no archive to servers: projects get versions of the servers' own archives only.",
  },
  phpPackagesKey: {
    env: "LONGSHORE_PHP_PACKAGES_KEY",
    ...list("fingerprints of 40 hexadecimal digits", (text) => /^[0-9A-F]{40}$/.test(text)),
    default: "",
    about:
      "The keys that those packages may be signed with, by their fingerprints in capital letters. Without it, the archives' own, which Longshore knows; a mirror needs none of its own.",
  },
  appsMirror: {
    env: "LONGSHORE_APPS_MIRROR",
    ...url("http:", "https:"),
    about:
      "Where managed servers download the archives of catalog applications from, as `<base>/<slug>/<file name>`. Without it, from each application's origin.",
  },
  appsChecksums: {
    env: "LONGSHORE_APPS_CHECKSUMS",
    ...oneOf(["on", "off"]),
    default: "on",
    about:
      "`off` uses whatever the mirror of applications serves, without comparing checksums, and takes the list of versions from there. For tests alone.",
  },
  searchUrl: {
    env: "LONGSHORE_SEARCH_URL",
    ...url("http:", "https:"),
    about:
      "Where Search servers download the program of a Meilisearch release from. No distribution packages it: without this setting they are set up without it.",
  },
  searchChecksum: {
    env: "LONGSHORE_SEARCH_CHECKSUM",
    type: "a SHA-256 in hexadecimal",
    about: "The checksum of what `LONGSHORE_SEARCH_URL` answers with. Needed with it.",
    parse: (text): string | undefined => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined),
  },
} as const satisfies Settings;
