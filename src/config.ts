import { isIPv4 } from "node:net";
import { join, resolve } from "node:path";
import { inspect } from "node:util";
import { integer, isDomain, isMailbox, isOrigin, list, oneOf, postgresUrl, url } from "./config-values.ts";
import { isNetwork } from "./lib/addresses.ts";
import { isDnsServer } from "./lib/dns.ts";
import { AppError } from "./lib/errors.ts";
import { logLevels } from "./lib/log.ts";

/** What the process may do: everything, answer HTTP only, or work only. */
const roles = ["all", "api", "worker"] as const;

interface Setting<Value> {
  env: string;
  /** The command-line option that overrides the variable. */
  flag?: string;
  /** Describes a valid value, for use after "must be". */
  type: string;
  /** As written in the environment; undefined if the setting is optional. */
  default?: string;
  about: string;
  secret?: true;
  /** The value, or undefined if the text is not valid. */
  parse(text: string): Value | undefined;
}

const webAddress = url("https:", "http:");

const host = {
  type: "an address or a host name",
  parse: (text: string): string | undefined => (/^[0-9A-Za-z.:_%-]+$/.test(text) ? text : undefined),
};

/**
 * All settings: how they are read and checked, and the content of docs/configuration.md, in its order. An empty variable counts
 * as not set.
 */
export const settings = {
  dataDirectory: {
    env: "LONGSHORE_DATA",
    flag: "--data",
    type: "a directory",
    default: ".longshore",
    about: "Where the secret key and the embedded PostgreSQL live. Everything in it must be backed up together.",
    parse: (text): string => resolve(text),
  },
  host: {
    env: "LONGSHORE_HOST",
    flag: "--host",
    type: host.type,
    default: "127.0.0.1",
    about:
      "The address to listen on without TLS. Set `LONGSHORE_DOMAIN`, or put a TLS-terminating proxy in front, before it is anything but loopback.",
    parse: host.parse,
  },
  port: {
    env: "LONGSHORE_PORT",
    flag: "--port",
    ...integer(0, 65_535),
    default: "8080",
    about: "The port to listen on; 0 takes a free one.",
  },
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
    type: host.type,
    default: "::",
    about: "With `LONGSHORE_DOMAIN`, the address to serve HTTPS on, and HTTP for its redirect; `::` is all of them.",
    parse: host.parse,
  },
  httpsPort: {
    env: "LONGSHORE_HTTPS_PORT",
    ...integer(1, 65_535),
    default: "443",
    about:
      "With `LONGSHORE_DOMAIN`, the port for HTTPS. The authority and browsers ask at 443: forward that to another one.",
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
  role: {
    env: "LONGSHORE_ROLE",
    flag: "--role",
    ...oneOf(roles),
    default: "all",
    about:
      "What this process does: `api` answers HTTP, `worker` works, `all` does both. More than one process needs `DATABASE_URL`.",
  },
  databaseUrl: {
    env: "DATABASE_URL",
    ...postgresUrl,
    about:
      "The PostgreSQL database to use; with several hosts (`postgresql://…@a:5432,b:5432/…`) the one that can be written. Without it Longshore runs its own under the data directory.",
    secret: true,
  },
  databasePoolSize: {
    env: "LONGSHORE_DATABASE_POOL",
    ...integer(2, 1_000),
    default: "10",
    about: "How many database connections this process keeps at most, beside those of the job queue.",
  },
  secretKey: {
    env: "LONGSHORE_SECRET_KEY",
    type: "a key",
    about:
      "The key that encrypts stored credentials (`openssl rand -base64 32`). Without it the file `secret.key` in the data directory is used, and made at the first start. Several keys are separated by commas: the first encrypts, all decrypt.",
    secret: true,
    parse: (text): string => text,
  },
  logLevel: {
    env: "LONGSHORE_LOG_LEVEL",
    ...oneOf(logLevels),
    default: "info",
    about: "The least severe level that is logged, as JSON lines on standard error.",
  },
  publicUrl: {
    env: "LONGSHORE_PUBLIC_URL",
    ...url("http:", "https:"),
    about:
      "The address under which others reach this installation, for links in notifications and for webhooks. Without it, the first name of `LONGSHORE_DOMAIN`, or else the address it listens on; set it for all processes if there are several. What `admin` prints leads there, and without it to where `up` was last ready.",
  },
  smtpUrl: {
    env: "LONGSHORE_SMTP_URL",
    ...url("smtp:", "smtps:"),
    about:
      "The mail server for notifications, invitations and links to a new password, such as `smtp://user:password@mail.example.com:587`; `smtps:` is TLS from the first byte. Without it no mail is sent. A password is sent over TLS only, unless the server is this machine.",
    secret: true,
  },
  mailFrom: {
    env: "LONGSHORE_MAIL_FROM",
    type: "an address such as `deploy@example.com`, or a name with one: `Longshore <deploy@example.com>`",
    about:
      "The sender of mails. Without it `longshore` at the host name of `LONGSHORE_PUBLIC_URL`, which many mail servers will not take.",
    parse: (text): string | undefined =>
      /^(?:[^\p{Cc}<>"@,;]{0,100}<[^\s<>"@,;]+@[^\s<>"@,;]+>|[^\s<>"@,;]+@[^\s<>"@,;]+)$/u.test(text)
        ? text
        : undefined,
  },
  telegramUrl: {
    env: "LONGSHORE_TELEGRAM_URL",
    ...url("http:", "https:"),
    default: "https://api.telegram.org",
    about: "The root of Telegram's bot API, or of a server that speaks it.",
  },
  notifyAllow: {
    env: "LONGSHORE_NOTIFY_ALLOW",
    ...list("addresses or networks such as 10.0.0.0/8", isNetwork),
    default: "",
    about:
      "Private networks that notifications may be sent to, such as that of your own chat server. All others are refused: a person who manages an organization could otherwise reach this machine's neighbours.",
  },
  monitorAllow: {
    env: "LONGSHORE_MONITOR_ALLOW",
    ...list("addresses or networks such as 10.0.0.0/8", isNetwork),
    default: "",
    about:
      "Private networks that HTTP monitors may check besides the addresses of managed servers. All others are refused: every account could otherwise find out what listens next to this machine.",
  },
  secondOpinion: {
    env: "LONGSHORE_SECOND_OPINION",
    ...oneOf(["on", "off"]),
    default: "on",
    about:
      "Whether another managed server of the organization checks an address too before its monitor is reported as down.",
  },
  monitorRetentionDays: {
    env: "LONGSHORE_MONITOR_RETENTION_DAYS",
    ...integer(8, 36_500),
    default: "400",
    about: "Results, states and events of monitors are deleted after this many days; results in whole months.",
  },
  serversAllow: {
    env: "LONGSHORE_SERVERS_ALLOW",
    ...list("addresses or networks such as 127.0.0.1 or 10.0.0.0/8", isNetwork),
    default: "",
    about:
      "Addresses that may be managed servers although they are this machine's own, loopback, link-local, multicast or a cloud's service for its machines. All other such addresses are refused: every account could otherwise find out what listens there.",
  },
  thisMachine: {
    env: "LONGSHORE_THIS_MACHINE",
    ...integer(1, 65_535),
    about:
      "The port of this machine's SSH server on 127.0.0.1, with which an Owner of the first organization may add the machine that Longshore runs on as a server. `service install --manage-this-machine` sets it, and makes the key `this-machine.key` in the data directory. Without it, no request makes Longshore connect to its own machine.",
  },
  reservedDomains: {
    env: "LONGSHORE_RESERVED_DOMAINS",
    ...list("domain names such as panel.example.com", isDomain),
    default: "",
    about:
      "Names that no project may have, such as those of this installation on a machine that is also a server. With `LONGSHORE_THIS_MACHINE`, the name in `LONGSHORE_PUBLIC_URL` is one of them.",
  },
  rateLimit: {
    env: "LONGSHORE_RATE_LIMIT",
    ...integer(1, 1_000_000_000),
    default: "120",
    about: "API requests a minute for each user, over all tokens and all processes.",
  },
  sessionRateLimit: {
    env: "LONGSHORE_SESSION_RATE_LIMIT",
    ...integer(1, 1_000_000_000),
    default: "600",
    about: "API requests a minute for each user who is signed in, over all sessions and all processes.",
  },
  mcpRateLimit: {
    env: "LONGSHORE_MCP_RATE_LIMIT",
    ...integer(1, 1_000_000_000),
    default: "120",
    about: "Requests a minute to /mcp for each user, over all tokens and all processes.",
  },
  consoleDirectory: {
    env: "LONGSHORE_CONSOLE",
    type: "a directory, or off",
    about:
      "The directory with the web console as `./longshore console build` makes it. Without it, the one that belongs to this program. `off` serves the API only.",
    parse: (text): string => (text === "off" ? text : resolve(text)),
  },
  drainSeconds: {
    env: "LONGSHORE_DRAIN_SECONDS",
    ...integer(0, 600),
    default: "0",
    about:
      "For so long after SIGTERM requests are still answered, while `GET /api/v1/health` is 503: a load balancer has time to choose other processes.",
  },
  connectionsPerAddress: {
    env: "LONGSHORE_CONNECTIONS_PER_ADDRESS",
    ...integer(1, 1_000_000),
    default: "256",
    about:
      "How many connections one public address may have open at once, an IPv6 network of 64 bits counting as one. Addresses of `LONGSHORE_TRUSTED_PROXIES` and private ones are not counted.",
  },
  corsOrigins: {
    env: "LONGSHORE_CORS_ORIGINS",
    ...list("origins such as https://console.example.com", isOrigin),
    default: "",
    about: "Web origins whose pages may call the API.",
  },
  trustedProxies: {
    env: "LONGSHORE_TRUSTED_PROXIES",
    ...list("addresses or networks such as 10.0.0.0/8", isNetwork),
    default: "",
    about:
      "The proxies in front of this process, whose X-Forwarded-For is trusted for where a request came from. From any other sender it is ignored. Behind a proxy that is not named here, Longshore applies the limit on sign-in attempts for each address to all clients together, since it cannot distinguish them; only browsers used before are not affected by the attempts of others.",
  },
  metricsPort: {
    env: "LONGSHORE_METRICS_PORT",
    ...integer(0, 65_535),
    about: "Serves Prometheus metrics on this port of the same address; off when not set.",
  },
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
  gitHostAUrl: {
    env: "LONGSHORE_GIT_HOST_A_URL",
    ...url("http:", "https:"),
    default: "https://github.com",
    about: "The root of git source type `git_host_a` (GitHub, or a GitHub Enterprise server).",
  },
  gitHostBUrl: {
    env: "LONGSHORE_GIT_HOST_B_URL",
    ...url("http:", "https:"),
    default: "https://gitlab.com",
    about: "The root of git source type `git_host_b` (GitLab, also self-hosted).",
  },
  gitHostCUrl: {
    env: "LONGSHORE_GIT_HOST_C_URL",
    ...url("http:", "https:"),
    default: "https://bitbucket.org",
    about: "The root of git source type `git_host_c` (Bitbucket).",
  },
  gitHostAApiUrl: {
    env: "LONGSHORE_GIT_HOST_A_API_URL",
    ...url("http:", "https:"),
    about:
      "The root of the API of `git_host_a`. Without it `https://api.github.com`, or `/api/v3` below another `LONGSHORE_GIT_HOST_A_URL`.",
  },
  gitHostBApiUrl: {
    env: "LONGSHORE_GIT_HOST_B_API_URL",
    ...url("http:", "https:"),
    about: "The root of the API of `git_host_b`. Without it `/api/v4` below `LONGSHORE_GIT_HOST_B_URL`.",
  },
  gitHostCApiUrl: {
    env: "LONGSHORE_GIT_HOST_C_API_URL",
    ...url("http:", "https:"),
    default: "https://api.bitbucket.org/2.0",
    about: "The root of the API of `git_host_c`.",
  },
  cloudAUrl: {
    env: "LONGSHORE_CLOUD_A_URL",
    ...url("http:", "https:"),
    about: "The root of the API of `cloud_a` (Hetzner Cloud). Without it, the provider's own.",
  },
  cloudBUrl: {
    env: "LONGSHORE_CLOUD_B_URL",
    ...url("http:", "https:"),
    about: "The root of the API of `cloud_b` (AWS EC2), for every region. Without it, each region's own.",
  },
  cloudBPricesUrl: {
    env: "LONGSHORE_CLOUD_B_PRICES_URL",
    ...url("http:", "https:"),
    about: "The root of the price list API of `cloud_b`. Without it, the provider's own.",
  },
  cloudBSsmUrl: {
    env: "LONGSHORE_CLOUD_B_SSM_URL",
    ...url("http:", "https:"),
    about: "The root of the API that names the images of `cloud_b` (Systems Manager). Without it, each region's own.",
  },
  cloudCUrl: {
    env: "LONGSHORE_CLOUD_C_URL",
    ...url("http:", "https:"),
    about: "The root of the API of `cloud_c` (DigitalOcean). Without it, the provider's own.",
  },
  updateSource: {
    env: "LONGSHORE_UPDATE_SOURCE",
    type: "an absolute path of a directory, or a URL that begins with https:// or http://",
    about:
      "Where `longshore upgrade` finds new versions: a directory, or the URL of one, with packages and their `SHA256SUMS`. Without it, the package `longshore` of the registry that npm uses on this machine.",
    parse: (text): string | undefined =>
      /^[a-z][a-z+.-]*:/i.test(text) ? webAddress.parse(text) : text.startsWith("/") ? resolve(text) : undefined,
  },
  updateCheck: {
    env: "LONGSHORE_UPDATE_CHECK",
    ...oneOf(["off", "on"]),
    default: "off",
    about:
      "`on` asks the update source once a day which version is the newest, for `newest_version` of `GET /api/v1/version`. Nothing about this installation is sent.",
  },
  http3: {
    env: "LONGSHORE_HTTP3",
    ...oneOf(["off", "on"]),
    default: "off",
    about:
      "Whether servers that are set up from now on speak HTTP/3 besides, where their nginx was built with it. nginx loses HTTP/3 requests when it reloads, which a change of domains or certificates makes it do; HTTP/2 loses none.",
  },
  acmeDirectory: {
    env: "LONGSHORE_ACME_DIRECTORY",
    ...url("https:", "http:"),
    default: "https://acme-v02.api.letsencrypt.org/directory",
    about:
      "The directory of the authority that issues certificates. Issuing one agrees to its terms of service. Another directory gets an account of its own; certificates that serve stay until they are renewed.",
  },
  acmeContact: {
    env: "LONGSHORE_ACME_CONTACT",
    type: "an e-mail address",
    about: "Whom the authority writes to about the account.",
    parse: (text): string | undefined => (isMailbox(text) ? text : undefined),
  },
  acmeEmail: {
    env: "LONGSHORE_ACME_EMAIL",
    type: "an e-mail address",
    about: "Another name of `LONGSHORE_ACME_CONTACT`, which is used if both are set.",
    parse: (text): string | undefined => (isMailbox(text) ? text : undefined),
  },
  acmeTrustFile: {
    env: "LONGSHORE_ACME_TRUST_FILE",
    type: "a file of certificates (PEM)",
    about: "Whom to trust besides the system's authorities when the authority is asked: for one of your own.",
    parse: (text): string => resolve(text),
  },
  acmeExternalKeyId: {
    env: "LONGSHORE_ACME_EXTERNAL_KEY_ID",
    type: "a key id",
    about: "External account binding, where the authority asks for it: the id of the key.",
    parse: (text): string => text,
  },
  acmeExternalKey: {
    env: "LONGSHORE_ACME_EXTERNAL_KEY",
    type: "a key in base64url",
    about: "External account binding: the key itself.",
    secret: true,
    parse: (text): string | undefined => (/^[A-Za-z0-9_-]{8,}=*$/.test(text) ? text : undefined),
  },
  acmeAccountLimit: {
    env: "LONGSHORE_ACME_ACCOUNT_LIMIT",
    ...integer(0, 1_000_000),
    default: "300",
    about: "How many certificates are ordered in three hours, over all organizations; 0: no limit.",
  },
  acmeDomainLimit: {
    env: "LONGSHORE_ACME_DOMAIN_LIMIT",
    ...integer(0, 1_000_000),
    default: "50",
    about:
      "How many certificates are ordered in seven days for one registered domain, renewals not counted; 0: no limit.",
  },
  acmeSameNamesLimit: {
    env: "LONGSHORE_ACME_SAME_NAMES_LIMIT",
    ...integer(0, 1_000_000),
    default: "5",
    about: "How many certificates are ordered in seven days for the very same names; 0: no limit.",
  },
  sshConnectTimeoutSeconds: {
    env: "LONGSHORE_SSH_CONNECT_TIMEOUT_SECONDS",
    ...integer(1, 300),
    default: "10",
    about: "How long one attempt to connect to a server may take.",
  },
  answerWithinSeconds: {
    env: "LONGSHORE_ANSWER_WITHIN_SECONDS",
    ...integer(1, 300),
    default: "90",
    about:
      "How long a request waits for a server, such as for nginx to take a site, before it answers 202 and continues in the background. " +
      "Keep it under the time that a proxy before Longshore allows.",
  },
  unreachableAfterSeconds: {
    env: "LONGSHORE_UNREACHABLE_AFTER_SECONDS",
    ...integer(1, 86_400),
    default: "60",
    about: "A deployment to a server that does not answer fails after this many seconds.",
  },
  moveSilenceSeconds: {
    env: "LONGSHORE_MOVE_SILENCE_SECONDS",
    ...integer(5, 3_600),
    default: "60",
    about:
      "A move is given up when a server does not answer for this many seconds while the project's visitors see the maintenance page.",
  },
  moveForwardDays: {
    env: "LONGSHORE_MOVE_FORWARD_DAYS",
    ...integer(0, 90),
    default: "7",
    about:
      "After a move, the former server forwards visitors for so many days. 0: for a day, it asks them to come back later instead.",
  },
  abandonAfterHours: {
    env: "LONGSHORE_ABANDON_AFTER_HOURS",
    ...integer(1, 8_760),
    default: "24",
    about:
      "Work that began on a server, or waits for a new server's first connection, is given up when the server has not answered for this long.",
  },
  logRetentionDays: {
    env: "LONGSHORE_LOG_RETENTION_DAYS",
    ...integer(1, 36_500),
    default: "30",
    about:
      "Output of work on servers is deleted after this many days. Records of deployments stay; those of other work, such as publications of sites, go with it, but for the newest of each kind.",
  },
  auditRetentionDays: {
    env: "LONGSHORE_AUDIT_RETENTION_DAYS",
    ...integer(1, 36_500),
    default: "365",
    about: "Entries of the audit log are deleted after this many days.",
  },
  defaultPlan: {
    env: "LONGSHORE_DEFAULT_PLAN",
    ...oneOf(["starter", "pro", "business"]),
    default: "business",
    about:
      "The plan of organizations that are made from now on, but for the first one, which is on `business`. `starter` has one server, 5 monitors of a type and checks every 300 s; `pro` 50 monitors and 60 s; `business` no limits and 60 s. `./longshore admin plan` changes the plan of one.",
  },
  eventRetentionDays: {
    env: "LONGSHORE_EVENT_RETENTION_DAYS",
    ...integer(1, 36_500),
    default: "7",
    about: "A client of the event stream can resume for this many days; older events are deleted.",
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;
type Table = typeof settings;
type ValueOf<Name extends SettingName> = Exclude<ReturnType<Table[Name]["parse"]>, undefined>;

/** The settings, checked and frozen. Printing them shows no secret. */
export type Config = {
  readonly [Name in SettingName]: Table[Name] extends { default: string } ? ValueOf<Name> : ValueOf<Name> | undefined;
};

/** Variables that belong to the tools of the repository rather than to the product. */
const toolVariables = /^LONGSHORE_(TEST|SANDBOX|DEMO|BENCH)(_|$)/;

/**
 * Reads the settings from `environment`; `overrides` (texts too, from the command line) win, and those of the `installed` service
 * count where it has none. Throws AppError("configuration") with one sentence that names the variable, for a bad value or an unknown
 * variable.
 */
export function loadConfig(
  environment: Record<string, string | undefined>,
  overrides: Partial<Record<SettingName, string | undefined>> = {},
  installed: Record<string, string> = {},
): Config {
  const env = { ...installed, ...environment };
  refuseUnknown(Object.keys(env));
  const names = Object.keys(settings) as SettingName[];
  const values = names.map((name) => [name, read(settings[name], env, overrides[name])] as const);
  const config = withDomains(Object.fromEntries(values) as Config);
  refuseOwnDatabase(config);
  refuseHalfOfTls(config);
  refuseSharedMachine(config);
  return Object.freeze(withoutPrintedSecrets(config));
}

/** In lower case, each once; the first one is where the installation is reached, unless it has another address. */
function withDomains(config: Config): Config {
  const domains = Object.freeze([...new Set(config.domains.map((name) => name.toLowerCase()))]);
  const [first] = domains;
  return { ...config, domains, publicUrl: config.publicUrl ?? (first === undefined ? undefined : `https://${first}`) };
}

function refuseHalfOfTls({ domains, tlsCertificateFile, tlsKeyFile }: Config): void {
  const { domains: names, tlsCertificateFile: certificate, tlsKeyFile: key } = settings;
  if ((tlsCertificateFile === undefined) !== (tlsKeyFile === undefined)) {
    throw new AppError("configuration", `${certificate.env} and ${key.env} belong together: set both, or neither.`);
  }
  if (tlsCertificateFile === undefined || domains.length > 0) return;
  throw new AppError(
    "configuration",
    `${certificate.env} needs the names under which browsers come: set ${names.env}.`,
  );
}

/** The embedded database is that of one process, which has to do everything. */
function refuseOwnDatabase({ role, databaseUrl }: Config): void {
  if (role === "all" || databaseUrl !== undefined) return;
  const { env } = settings.databaseUrl;
  throw new AppError("configuration", `A process with the role ${role} shares a database with others: set ${env}.`);
}

/** Each of several processes has another machine, and the record of a server cannot tell which one is meant. */
function refuseSharedMachine({ role, thisMachine }: Config): void {
  if (role === "all" || thisMachine === undefined) return;
  throw new AppError(
    "configuration",
    `A process with the role ${role} does not manage its own machine: remove ${settings.thisMachine.env}.`,
  );
}

/** The address of this installation for people and other programs, for links. */
export const installationUrl = ({ publicUrl, host, port }: Config): string =>
  publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The mail server and the sender; undefined if this installation sends no mail. */
export const mailServerOf = (config: Config): { url: string; from: string } | undefined =>
  config.smtpUrl === undefined
    ? undefined
    : {
        url: config.smtpUrl,
        from: config.mailFrom ?? `longshore@${mailHost(new URL(installationUrl(config)).hostname)}`,
      };

/** Addresses of mail have IP addresses in brackets. */
function mailHost(host: string): string {
  if (host.startsWith("[")) return host.replace("[", "[IPv6:");
  return isIPv4(host) ? `[${host}]` : host;
}

/** The directory of the web console to serve, if any. */
export const consoleDirectory = ({ consoleDirectory }: Config): string | undefined =>
  consoleDirectory === "off" ? undefined : (consoleDirectory ?? join(import.meta.dirname, "../console/dist"));

/** The private key that opens root's account on the machine that Longshore runs on; there if it may manage that machine. */
export const thisMachineKeyFile = ({ dataDirectory }: Pick<Config, "dataDirectory">): string =>
  join(dataDirectory, "this-machine.key");

/** Names that no project may have: they lead to Longshore itself. */
export const reservedDomains = ({
  reservedDomains: reserved,
  domains,
  thisMachine,
  publicUrl,
}: Pick<Config, "reservedDomains" | "domains" | "thisMachine" | "publicUrl">): string[] => [
  ...reserved.map((name) => name.toLowerCase()),
  ...domains,
  ...(thisMachine !== undefined && publicUrl ? [new URL(publicUrl).hostname] : []),
];

/** The key file, used if no key is set. */
export const keyFile = (config: Config): string => join(config.dataDirectory, "secret.key");

function read(
  setting: Setting<unknown>,
  env: Record<string, string | undefined>,
  override: string | undefined,
): unknown {
  const text = override ?? (env[setting.env] || setting.default);
  if (text === undefined) return undefined;
  const value = setting.parse(text.trim());
  if (value !== undefined) return value;
  const name = setting.flag ? `${setting.env} (${setting.flag})` : setting.env;
  const given = setting.secret ? "" : ` It is "${text}".`;
  throw new AppError("configuration", `${name} must be ${setting.type}.${given}`);
}

function refuseUnknown(variables: string[]): void {
  const known = Object.values(settings).map((setting) => setting.env as string);
  const unknown = variables.find(
    (name) => name.startsWith("LONGSHORE_") && !known.includes(name) && !toolVariables.test(name),
  );
  if (unknown === undefined) return;
  const near = known.find((name) => isNear(name, unknown));
  const advice = near ? `Did you mean ${near}?` : "Remove it; docs/configuration.md lists all settings.";
  throw new AppError("configuration", `${unknown} is not a setting. ${advice}`);
}

/** Whether one differs from the other by a letter or two: the same but for at most two letters in the middle. */
function isNear(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(one.length, other.length) - start - end <= 2;
}

function withoutPrintedSecrets(config: Config): Config {
  const printable = (): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(config).map(([name, value]) => {
        const setting: Setting<unknown> = settings[name as SettingName];
        return [name, setting.secret && value !== undefined ? "[secret]" : value];
      }),
    );
  return Object.defineProperties(config, { toJSON: { value: printable }, [inspect.custom]: { value: printable } });
}
