import { isIPv4 } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { AppError } from "./lib/errors.ts";
import { addressSettings } from "./settings/address.ts";
import { certificateSettings } from "./settings/certificates.ts";
import { downloadSettings } from "./settings/downloads.ts";
import { httpSettings } from "./settings/http.ts";
import { httpsSettings } from "./settings/https.ts";
import { machineSettings } from "./settings/machines.ts";
import { noticeSettings } from "./settings/notices.ts";
import { processSettings } from "./settings/process.ts";
import { providerSettings } from "./settings/providers.ts";
import type { Setting } from "./settings/setting.ts";
import { updateSettings } from "./settings/updates.ts";
import { workSettings } from "./settings/work.ts";

/**
 * All settings: how they are read and checked, and the content of docs/configuration.md, in its order. An empty variable counts
 * as not set.
 */
export const settings = {
  ...addressSettings,
  ...httpsSettings,
  ...processSettings,
  ...noticeSettings,
  ...machineSettings,
  ...httpSettings,
  ...downloadSettings,
  ...providerSettings,
  ...updateSettings,
  ...certificateSettings,
  ...workSettings,
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

/** Where the certificate and its key are kept for a web server in front (`LONGSHORE_HTTPS_PORT=off`). */
export const certificateFile = ({ dataDirectory }: Pick<Config, "dataDirectory">): string =>
  join(dataDirectory, "tls/certificate.pem");

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

/** The secret key; the file is used if none is set. */
export const keySource = ({ secretKey: key, dataDirectory }: Config) => ({
  key,
  file: join(dataDirectory, "secret.key"),
});

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
