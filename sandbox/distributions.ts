import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { mustRun, runCommand } from "./command.ts";
import { messageOf, SandboxError } from "./errors.ts";
import { exists } from "./exists.ts";
import { withLock } from "./lock.ts";
import { lockFile, stateDirectory } from "./paths.ts";

export const defaultDistribution = "bookworm";

export interface Distribution {
  name: string;
  title: string;
  family: "debian" | "ubuntu";
  /** Its systemd runs on the unified cgroup layout only, even when this machine has the older one. */
  unifiedCgroups?: true;
}

const distributions: Distribution[] = [
  { name: "bookworm", title: "Debian 12 (bookworm)", family: "debian" },
  { name: "trixie", title: "Debian 13 (trixie)", family: "debian" },
  { name: "jammy", title: "Ubuntu 22.04 (jammy)", family: "ubuntu" },
  { name: "noble", title: "Ubuntu 24.04 (noble)", family: "ubuntu" },
  { name: "resolute", title: "Ubuntu 26.04 (resolute)", family: "ubuntu", unifiedCgroups: true },
];

export const distributionNames = distributions.map(({ name }) => name);

/** The distribution of this code name; otherwise throws an error with the valid names. */
export function getDistribution(name: string): Distribution {
  const distribution = distributions.find((each) => each.name === name);
  if (distribution) return distribution;
  throw new SandboxError(`There is no distribution "${name}": choose one of ${distributionNames.join(", ")}.`);
}

/** The lines for apt, with the mirrors that this machine itself uses or is configured with. */
export async function aptSources({ name, family }: Distribution): Promise<string[]> {
  if (family === "ubuntu") {
    const url = await mirrorOf("ubuntu", "LONGSHORE_SANDBOX_UBUNTU_MIRROR");
    return ["", "-updates", "-security"].map((pocket) => `deb ${url} ${name}${pocket} main universe`);
  }
  const main = await mirrorOf("debian", "LONGSHORE_SANDBOX_DEBIAN_MIRROR");
  const security = await mirrorOf("debian-security", "LONGSHORE_SANDBOX_DEBIAN_SECURITY_MIRROR");
  return [`deb ${main} ${name} main`, `deb ${main} ${name}-updates main`, `deb ${security} ${name}-security main`];
}

async function mirrorOf(archive: string, variable: string): Promise<string> {
  const used = (await machineMirrors()).find((url) => new RegExp(`/${archive}/?$`).test(url));
  const mirror = process.env[variable] || used;
  if (mirror) return mirror;
  throw new SandboxError(`This machine's apt sources name no mirror of "${archive}": name one in ${variable}.`);
}

async function machineMirrors(): Promise<string[]> {
  const folder = "/etc/apt/sources.list.d";
  const listed = (await readdir(folder).catch(() => [])).filter((file) => /\.(list|sources)$/.test(file));
  const files = ["/etc/apt/sources.list", ...listed.map((file) => join(folder, file))];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  const lines = texts.join("\n").split("\n");
  return lines.filter((line) => /^(deb|URIs:) /.test(line)).flatMap((line) => line.match(/https?:\/\/\S+/g) ?? []);
}

/**
 * The file with the keys that sign a distribution. Debian does not package current keys of Ubuntu, so they are fetched,
 * and trusted because of the fingerprint below.
 */
export async function ensureKeyring({ title, family }: Distribution): Promise<string> {
  const name = `${family}-archive-keyring.gpg`;
  const installed = `/usr/share/keyrings/${name}`;
  if (await exists(installed)) return installed;
  if (family === "debian") throw new SandboxError(`${title} needs the package debian-archive-keyring: install it.`);
  const own = join(stateDirectory(), "keyrings", name);
  await withLock(lockFile("keyring"), async () => {
    if (!(await exists(own))) await fetchUbuntuKeyring(own, title);
  });
  return own;
}

// Ubuntu Archive Automatic Signing Key (2018), https://wiki.ubuntu.com/SecurityTeam/FAQ
const ubuntuFingerprint = "F6ECB3762474EDA9D21B7022871920D1991BC93C";
const ubuntuKeyringPackage = "pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb";

async function fetchUbuntuKeyring(file: string, title: string): Promise<void> {
  const folder = `${file}.unfinished`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // gpg requires the mode; the folders above stay open, because apt reads keys under its own account.
  await mkdir(join(folder, "gnupg"), { mode: 0o700 });
  const url = `${await mirrorOf("ubuntu", "LONGSHORE_SANDBOX_UBUNTU_MIRROR")}/${ubuntuKeyringPackage}`;
  await mustRun(["curl", "-fsS", "--max-time", "30", "-o", "keyring.deb", url], { cwd: folder }).catch((cause) => {
    throw new SandboxError(`${title} cannot be had from here, use bookworm or trixie: ${messageOf(cause)}`, { cause });
  });
  await mustRun(["dpkg-deb", "-x", "keyring.deb", "."], { cwd: folder });
  const gpg = ["gpg", "--homedir", join(folder, "gnupg"), "--batch", "--quiet"];
  await mustRun([...gpg, "--import", join(folder, "usr/share/keyrings/ubuntu-archive-keyring.gpg")]);
  // Only that one key is copied from the folder; the package may contain others.
  await mustRun([...gpg, "--output", join(folder, "key.gpg"), "--export", `${ubuntuFingerprint}!`]);
  await runCommand(["gpgconf", "--homedir", join(folder, "gnupg"), "--kill", "all"]);
  if (!(await exists(join(folder, "key.gpg"))))
    throw new SandboxError(`${title}: the signing key is not the known one.`);
  await rename(join(folder, "key.gpg"), file);
  await rm(folder, { recursive: true, force: true });
}
