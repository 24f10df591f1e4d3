/** The versions that a project can choose. */
export const phpVersions = ["8.1", "8.2", "8.3", "8.4", "8.5"] as const;

export type PhpVersion = (typeof phpVersions)[number];

/** The values of a project's `php_version`; `default`: the server's own. */
export const phpSettings = [...phpVersions, "default"] as const;

// Of the package php-fpm in each distribution's own archive.
const ownVersions: Readonly<Record<string, PhpVersion>> = {
  "debian 12": "8.2",
  "debian 13": "8.4",
  "ubuntu 22.04": "8.1",
  "ubuntu 24.04": "8.3",
  "ubuntu 26.04": "8.5",
};

/** The distribution's own version, by its id and version as in a server's record: `debian 12`; undefined: unknown. */
export const ownPhpVersion = (distribution: string): PhpVersion | undefined => ownVersions[distribution];

/** An archive of PHP versions besides the distribution's. */
export interface PhpArchive {
  /** Its address, below which `dists/<code name>` is. */
  base: string;
  /** Where its key is fetched from. */
  keyAddress: string;
  /** Fingerprints; its key has one of them. */
  fingerprints: readonly string[];
  /** The origin in its Release files, also on a mirror. */
  origin: string;
}

type ArchiveOf = Readonly<Record<"debian" | "ubuntu", PhpArchive>>;

const official: ArchiveOf = {
  debian: {
    base: "https://packages.sury.org/php",
    keyAddress: "https://packages.sury.org/php/apt.gpg",
    fingerprints: ["15058500A0235D97F5D10063B188E2B695BD4743"],
    origin: "deb.sury.org",
  },
  ubuntu: {
    base: "https://ppa.launchpadcontent.net/ondrej/php/ubuntu",
    keyAddress:
      "https://keyserver.ubuntu.com/pks/lookup?op=get&options=mr&search=0xB8DC7E53946656EFBCE4C1DD71DAEAAB4AD4CAB6",
    fingerprints: ["B8DC7E53946656EFBCE4C1DD71DAEAAB4AD4CAB6"],
    origin: "LP-PPA-ondrej-php",
  },
};

/** What the installation configures about them. */
export interface PhpPackages {
  /** Whether no archive is added to servers: only versions of their own archives are installed. */
  isOff?: boolean;
  /** A mirror of both archives, as `<base>/debian` and `<base>/ubuntu`; undefined: the archives themselves. */
  base?: string | undefined;
  /** Fingerprints of keys to accept instead of the archives' own; empty: the archives' own. */
  fingerprints?: readonly string[] | undefined;
}

/** The archive for each distribution. */
export function phpArchives({ base, fingerprints = [] }: PhpPackages = {}): ArchiveOf {
  const archive = (id: "debian" | "ubuntu"): PhpArchive => {
    const accepted = fingerprints.length > 0 ? fingerprints : official[id].fingerprints;
    if (base === undefined) return { ...official[id], fingerprints: accepted };
    const mirror = `${base.replace(/\/+$/, "")}/${id}`;
    return { ...official[id], base: mirror, keyAddress: `${mirror}/apt.gpg`, fingerprints: accepted };
  };
  return { debian: archive("debian"), ubuntu: archive("ubuntu") };
}
