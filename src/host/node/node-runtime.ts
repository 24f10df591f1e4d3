import { AppError } from "../../lib/errors.ts";
import { fact, putLink } from "../runner/functions.ts";
import { exclusively } from "../runner/lock.ts";
import { scriptsBeside, setBefore } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

export const nodeDirectory = "/opt/longshore/node";
const nodes = nodeDirectory;
export const defaultNodeMirror = "https://nodejs.org/dist";

/**
 * A file in the directory of a version that was fetched for a release rather than by the setup: the version is removed
 * when no release uses it.
 */
export const onDemandMark = ".on-demand";

const alone = exclusively("node");

export interface NodeSource {
  /** The download server, in the layout of https://nodejs.org/dist. */
  mirror: string;
  /** A major version (`24`: the newest one at the first installation, unchanged from then on) or an exact version (`24.11.0`). */
  version: string;
}

/**
 * Installs one version of Node under /opt/longshore/node/<version>, checked against the mirror's SHASUMS256.txt.
 * Several versions exist side by side. A second run waits for the first and finds it installed.
 */
export const installNode = ({ mirror, version }: NodeSource): Script => {
  if (!/^\d+(\.\d+\.\d+)?$/.test(version)) {
    throw new AppError("invalid", `${version} is not a Node version such as 24 or 24.11.0.`);
  }
  const site = siteOf(mirror);
  return lines(
    sh`mkdir -p ${nodes}`,
    alone,
    script("find-node.sh", { nodes, version }),
    sh`
      if [ -n "$found" ]; then
        rm -f ${nodes}/"$found"/${onDemandMark}
        echo "Node $found is installed."
        exit
      fi`,
    script("install-node.sh", { nodes, version, site, found: setBefore }),
  );
};

/** The same for the version in `version`, of the form x.y.z, which a release requests. */
export const installNodeOnDemand = (mirror: string): Script =>
  lines(
    alone,
    sh`
      found=$version
      if [ -d ${nodes}/"$found" ]; then exit; fi`,
    script("fetch-node.sh", { nodes, site: siteOf(mirror), found: setBefore }),
    sh`
      unpack
      : > unpacked/${onDemandMark}
      mv -T unpacked ${nodes}/"$found"
      echo "Installed Node $found."`,
  );

const siteOf = (mirror: string): string => mirror.replace(/\/+$/, "");

// Release lines that run on every Node from 18 on. Both hand over to the version that a project itself requests: pnpm fetches
// the one in package.json, yarn runs the one that .yarnrc.yml points to. Their checksums are the registry's `dist.integrity`
// (`npm view pnpm@10.34.9 dist.integrity`): a registry, or a mirror that a server uses in its place, cannot send another
// archive under the same version.
const packageManagers = {
  "pnpm@10.34.9": "9JtajqD97bRLs8DB1ldQkqU8KVDZW3rRXfEfF5dId6LeOgHAfpNOmyjOcW5RwJqUlixzBtCb4uHksYqMh2L9Mg==",
  "yarn@1.22.22": "prL3kGtyG7o9Z9Sv8IPfBNrWTDmXB4Qbes8A9rEzt6wkJV8mUvoirjU0Mp3GGAU06Y0XQyA3/2/RQFVuK7MTfg==",
};

const packageManagersOfFound: Script = script("install-package-managers.sh", {
  nodes,
  found: setBefore,
  package_managers: Object.entries(packageManagers)
    .map(([name, integrity]) => `${name} ${Buffer.from(integrity, "base64").toString("hex")}`)
    .join("\n"),
});

/**
 * Installs pnpm and yarn beside the npm of an installed version, from the registry that npm uses on the server; an
 * existing installation stays unchanged. Node 25 and later come without corepack, which would have fetched them on
 * demand.
 */
export const installPackageManagers = (version: string): Script =>
  lines(
    alone,
    script("find-node.sh", { nodes, version }),
    sh`[ -n "$found" ] || fail ${`Node ${version} is not installed, so neither are pnpm and yarn.`}`,
    packageManagersOfFound,
  );

/** The same for the version in `version`, of the form x.y.z. */
export const installPackageManagersOnDemand: Script = lines(alone, sh`found=$version`, packageManagersOfFound);

/**
 * Starts the scripts in the background, one after the other, while packages are installed: the steps that need the
 * results run the same scripts, and wait or find the work done. A failure here costs nothing.
 */
export const fetchNodeInBackground = (version: string, installation: Script, additions: Script): Script =>
  script("fetch-in-background.sh", {
    installation: installation.script,
    additions: additions.script,
    // One for each version.
    unit: `longshore-node-${version}`,
    version,
  });

/** Makes the installed version that the given version stands for the server's `node`, as fact `node_version`. */
export const activateNode = (version: string): Script =>
  lines(
    script("find-node.sh", { nodes, version }),
    sh`
      [ -n "$found" ] || fail ${`Node ${version} is not installed, so there is no node command.`}
      ${putLink} "$found" ${nodes}/current
      ${fact} node_version "$found"
      echo "node is Node $found."`,
  );

/** Commands for every user. Files that an operator put there stay. */
export const linkNodeCommands: Script = script("link-commands.sh", { nodes });

export const verifyNpm: Script = sh`
  version=$(npm --version) || fail "npm does not start."
  echo "npm $version works."`;
