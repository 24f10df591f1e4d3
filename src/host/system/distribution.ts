import { isIP } from "node:net";
import { AppError } from "../../lib/errors.ts";
import { type Script, sh } from "../sh.ts";

/** An operating system as /etc/os-release names it: `debian` and `12`, `ubuntu` and `24.04`. */
export interface Distribution {
  id: string;
  version: string;
}

/** The results of the probe on a host. `memoryMb` is the memory of the machine; `name` is for display. */
export interface HostFacts {
  distribution: Distribution;
  name: string;
  architecture: string;
  memoryMb: number;
  /** The output of systemd-detect-virt: `none`, `kvm`, `systemd-nspawn`, … */
  virtualization: string;
  /** The address from which the control plane reaches the host, as the host sees it. */
  clientAddress?: string;
}

export type ServerType = 0 | 1 | 2 | 3 | 4;
export type DatabaseEngine = "mariadb" | "postgresql" | "none";

/** Names of packages by purpose: each component's step verifies, and if necessary installs, its own. */
export interface PackageSet {
  component: string;
  packages: readonly string[];
}

const supported = new Set(["debian 12", "debian 13", "ubuntu 22.04", "ubuntu 24.04", "ubuntu 26.04"]);

const nameOf = ({ id, version }: Distribution): string => `${id} ${version}`;

/** Whether Longshore can install its software on it. */
export const isSupported = (distribution: Distribution): boolean => supported.has(nameOf(distribution));

/** 422 for a server whose operating system cannot be set up; a retry cannot help. */
export const unsupported = (distribution: Distribution): AppError =>
  new AppError(
    "refused",
    `${nameOf(distribution)} is not supported: install Debian 12 or 13, or Ubuntu 22.04, 24.04 or 26.04.`,
    { permanent: true },
  );

/** Prints the input of `parseProbe`. Needs no package and no privilege, and changes nothing. */
export const probeScript: Script = sh`
  cat /etc/os-release
  printf 'PROBE_ARCHITECTURE=%s\\n' "$(uname -m)"
  printf 'PROBE_MEMORY_KB=%s\\n' "$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB$/\\1/p' /proc/meminfo)"
  printf 'PROBE_CLIENT=%s\\n' "\${SSH_CONNECTION-}" | sed 's/ .*//'
  printf 'PROBE_VIRTUALIZATION=%s\\n' "$(systemd-detect-virt 2>/dev/null || true)"`;

// Many times the length that a distribution writes there. The server chooses the text, and it ends up in messages and
// records.
const longestProbe = 64 * 1024;
const longestValue = 200;

/** Reads the probe's output. Throws `refused` when it does not name an operating system. */
export function parseProbe(output: string): HostFacts {
  const values = parseOsRelease(output.slice(0, longestProbe));
  const distribution = { id: values.get("ID") ?? "", version: values.get("VERSION_ID") ?? "" };
  if (distribution.id === "") {
    throw new AppError("refused", "The server's /etc/os-release does not name its operating system.", {
      permanent: true,
    });
  }
  const clientAddress = values.get("PROBE_CLIENT") ?? "";
  return {
    distribution,
    name: values.get("PRETTY_NAME") ?? nameOf(distribution),
    architecture: values.get("PROBE_ARCHITECTURE") ?? "",
    memoryMb: Math.floor(Number(values.get("PROBE_MEMORY_KB") ?? 0) / 1024),
    virtualization: values.get("PROBE_VIRTUALIZATION") || "none",
    ...(isIP(clientAddress) ? { clientAddress } : {}),
  };
}

/** The assignments of an os-release file: comments, long lines and lines of other shapes are skipped, quotes are removed. */
export function parseOsRelease(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, name, value] = /^([A-Z][A-Z0-9_]{0,63})=([^\p{Cc}]*)$/u.exec(line.trimEnd()) ?? [];
    if (name === undefined || value === undefined || value.length > longestValue) continue;
    const text = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
    values.set(name, text.replaceAll(/\\(["'$`\\])/g, "$1"));
  }
  return values;
}

const everyServer: readonly PackageSet[] = [
  {
    component: "tools",
    packages: ["bzip2", "ca-certificates", "curl", "openssl", "rsync", "tzdata", "unzip", "xz-utils", "zstd"],
  },
  { component: "cron", packages: ["cron"] },
  { component: "log-rotation", packages: ["logrotate"] },
  // python3-systemd: without it fail2ban looks for /var/log/auth.log, which does not exist on a journal-only system.
  { component: "fail2ban", packages: ["fail2ban", "python3-systemd"] },
  { component: "firewall", packages: ["nftables"] },
  { component: "automatic-updates", packages: ["unattended-upgrades"] },
];

const nginx: PackageSet = { component: "nginx", packages: ["nginx"] };

// The packages without a version follow the distribution's PHP version.
const php: PackageSet = {
  component: "php",
  packages: [
    ...["php-fpm", "php-cli", "php-apcu", "php-bcmath", "php-curl", "php-gd", "php-gmp", "php-intl", "php-mbstring"],
    ...["php-mysql", "php-pgsql", "php-redis", "php-soap", "php-sqlite3", "php-xml", "php-zip"],
  ],
};

/** The same packages for one version of PHP. */
export const phpPackages = (version: string): string[] =>
  php.packages.map((name) => name.replace(/^php-/, `php${version}-`));

const engines: Record<DatabaseEngine, readonly PackageSet[]> = {
  mariadb: [{ component: "database", packages: ["mariadb-server", "mariadb-client"] }],
  postgresql: [{ component: "database", packages: ["postgresql", "postgresql-client"] }],
  none: [],
};

/** The packages that a server of the type needs beyond a bare system, in the order of its setup. */
export function packageSets(type: ServerType, engine: DatabaseEngine): readonly PackageSet[] {
  const byType: Record<ServerType, readonly PackageSet[]> = {
    0: [
      { component: "git", packages: ["git", "git-lfs"] },
      // Compilers for dependencies with native parts, which npm and pip build on the server.
      { component: "build-tools", packages: ["build-essential", "python3"] },
      nginx,
      php,
      { component: "composer", packages: ["composer"] },
      ...engines[engine],
    ],
    1: engines[engine],
    2: [{ component: "redis", packages: ["redis-server"] }],
    3: [],
    4: [nginx],
  };
  return [...everyServer, ...byType[type]];
}
