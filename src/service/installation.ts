import { type Config, loadConfig, settings } from "../config.ts";
import { companionDistance, projectPorts } from "../host/systemd/sandbox.ts";
import { AppError } from "../lib/errors.ts";
import { certificateServiceUnit, certificateTimerUnit } from "./certificate-unit.ts";
import type { ServiceLayout } from "./layout.ts";
import { renderSite } from "./nginx-site.ts";
import { changeSettings, parseSettings, type ServiceSettings, type SettingsChange } from "./settings-file.ts";
import { renderUnit } from "./unit.ts";

// What an installation consists of, decided before anything is written.

/** What the operator gave. What is left out stays as it is, or is the default. */
export interface Wanted {
  domains?: string[];
  email?: string;
  data?: string;
  role?: string;
  port?: string;
  host?: string;
  databaseUrl?: string;
  /** The key that encrypts stored secrets, where several machines share a database. */
  secretKey?: string;
  /** Whether a site of nginx leads to Longshore. */
  nginx?: boolean;
  /** The port of sshd on loopback: Longshore may manage this machine. */
  thisMachine?: number;
}

export interface PlannedFile {
  path: string;
  text: string;
  mode: number;
}

export interface Installation {
  /** Checked. */
  config: Config;
  settings: ServiceSettings;
  /** The settings file, then the unit, then what belongs to a site of nginx. */
  files: PlannedFile[];
  /** Where people open it. */
  address: string;
  /** Ports on which the service itself listens. */
  ports: number[];
  /** The names of the site of nginx; none without one. */
  siteNames: string[];
}

/** What a site depends on. */
export interface WebServer {
  nginxVersion: string;
  /** Whether this machine has IPv6. */
  ipv6: boolean;
  /** Of the site that is there. It stays, as long as no names are wanted. */
  siteNames?: string[] | undefined;
}

const loopback = "127.0.0.1";

/**
 * The installation that results from the text of the settings file and from what is wanted. Throws AppError("configuration") for settings that Longshore would refuse, and for directories that the
 * unit cannot reach.
 */
export function planInstallation(
  layout: ServiceLayout,
  former: string,
  wanted: Wanted,
  web: WebServer = { nginxVersion: "1.18.0", ipv6: true },
): Installation {
  const text = changeSettings(former, changesFor(layout, parseSettings(former), wanted));
  const now = parseSettings(text);
  const config = loadConfig(now);
  if (config.port === 0) throw new AppError("configuration", "A service needs a port of its own, not 0.");
  refuseHiddenData(config.dataDirectory);
  refuseServerPorts(config);
  const ports = portsOf(config);
  const unit = renderUnit({
    layout,
    data: config.dataDirectory,
    lowPorts: ports.some((port) => port < 1024),
    drainSeconds: config.drainSeconds,
  });
  const siteNames = (wanted.nginx ? wanted.domains : wanted.domains ? [] : web.siteNames) ?? [];
  return {
    config,
    settings: now,
    files: [
      { path: layout.settings, text, mode: 0o600 },
      { path: layout.unit, text: unit, mode: 0o644 },
      ...siteFiles(layout, config, siteNames, web),
    ],
    address: config.publicUrl ?? plainAddress(config),
    ports,
    siteNames,
  };
}

function portsOf({ role, port, domains, httpsPort, httpPort }: Config): number[] {
  if (role === "worker") return [];
  if (domains.length === 0) return [port];
  return [port, httpsPort, ...(httpPort === "off" ? [] : [httpPort])];
}

/** Where the service answers without TLS. */
export function plainAddress({ host, port }: Config): string {
  const name = host === "0.0.0.0" ? loopback : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Names in a setting or an option. */
export const namesIn = (list: string | undefined): string[] =>
  (list ?? "").split(/[\s,]+/).filter((name) => name !== "");

const managesMachine = (former: ServiceSettings, { thisMachine }: Wanted): boolean =>
  thisMachine !== undefined || Boolean(former[settings.thisMachine.env]);

/** On a machine that Longshore manages, nginx has the ports of the web: names are those of a site of it. */
export function throughNginx(former: ServiceSettings, wanted: Wanted): Wanted {
  if (!managesMachine(former, wanted)) return wanted;
  const domains = wanted.domains ?? namesIn(former[settings.domains.env]);
  return domains.length > 0 ? { ...wanted, domains, nginx: true } : wanted;
}

/** Ports of databases and caches that the setup of a server installs, and those of the web. */
const portsOfServers = [80, 443, 3306, 5432, 6379, 7700];

/** A machine that Longshore manages has the ports of projects, and those of the services for them. */
function refuseServerPorts({ thisMachine, port, metricsPort }: Config): void {
  if (thisMachine === undefined) return;
  const [first, last] = [projectPorts[0] - companionDistance, projectPorts[1]];
  for (const each of [port, ...(metricsPort === undefined ? [] : [metricsPort])]) {
    const isProjects = each >= first && each <= last;
    if (!isProjects && !portsOfServers.includes(each)) continue;
    throw new AppError(
      "configuration",
      `Longshore manages this machine, and cannot listen on port ${each} itself: ${first} to ${last} are the ports of projects, and ${portsOfServers.join(", ")} those of services. Choose another one, such as 8080.`,
    );
  }
}

function changesFor(layout: ServiceLayout, former: ServiceSettings, wanted: Wanted): SettingsChange {
  const { dataDirectory, port, host, role, databaseUrl, secretKey, thisMachine } = settings;
  const given: [string, string | undefined][] = [
    [dataDirectory.env, wanted.data ?? former[dataDirectory.env] ?? layout.data],
    [port.env, wanted.port],
    [host.env, wanted.host],
    [role.env, wanted.role],
    [databaseUrl.env, wanted.databaseUrl],
    [secretKey.env, wanted.secretKey],
    [thisMachine.env, wanted.thisMachine?.toString()],
  ];
  const changes = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return { ...changes, ...(wanted.domains && changesForDomains(former, wanted.domains, wanted)) };
}

function changesForDomains(former: ServiceSettings, domains: readonly string[], wanted: Wanted): SettingsChange {
  const { email, nginx } = wanted;
  const { domains: names, publicUrl, trustedProxies, acmeContact, reservedDomains } = settings;
  const contact = email && { [acmeContact.env]: email };
  if (!nginx) return { [names.env]: domains.join(","), ...contact };
  const proxies = namesIn(former[trustedProxies.env]);
  return {
    // nginx has the ports and the certificate.
    [names.env]: undefined,
    [publicUrl.env]: `https://${domains[0]}`,
    [trustedProxies.env]: [...new Set([...proxies, loopback])].join(","),
    ...(managesMachine(former, wanted) && { [reservedDomains.env]: domains.join(",") }),
    ...contact,
  };
}

/** The names that are served over HTTPS, by Longshore itself or by a site of nginx. */
export function publicNames({ domains, publicUrl }: Config): readonly string[] {
  if (domains.length > 0) return domains;
  return publicUrl?.startsWith("https:") ? [new URL(publicUrl).hostname] : [];
}

/** The unit has its own /tmp, and sees no home. */
function refuseHiddenData(directory: string): void {
  if (!/^\/(?:home|root|run\/user|tmp|var\/tmp|dev|proc|sys)(?:\/|$)|^\/$/.test(directory)) return;
  throw new AppError(
    "configuration",
    `The data directory cannot be ${directory}: the service has no access to homes and temporary files. Choose one below /var/lib or /srv.`,
  );
}

function siteFiles(layout: ServiceLayout, config: Config, names: readonly string[], web: WebServer): PlannedFile[] {
  if (names.length === 0) return [];
  return [
    {
      path: layout.nginxSite,
      text: renderSite({ layout, names, upstream: `${loopback}:${config.port}`, ...web }),
      mode: 0o644,
    },
    { path: layout.certificateService, text: certificateServiceUnit(layout, names), mode: 0o644 },
    { path: layout.certificateTimer, text: certificateTimerUnit(), mode: 0o644 },
  ];
}
