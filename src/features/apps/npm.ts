import type { Step } from "../../engine/runs/plan.ts";
import { type ProjectLayout, releaseDirectory } from "../../host/layout.ts";
import { nodeHeaderOption } from "../../host/nginx/header-sizes.ts";
import { scriptFile } from "../../host/script-file.ts";
import { sh } from "../../host/sh.ts";
import type { AppVersion, AppWork } from "./app.ts";
import { asProject, createRelease } from "./steps.ts";

// Applications that npm installs and that run as Node services. npm verifies each package against the registry's checksum; the
// application's own package is also compared with the integrity that Longshore ships.

/** A version of a package: `integrity` is the registry's `sha512-…`. */
export const npmVersion = (name: string, version: string, more: NpmVersion): AppVersion => ({
  version,
  archive: {
    file: `${name}-${version}.tgz`,
    url: `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`,
    checksum: {
      algorithm: "sha512",
      value: Buffer.from(more.integrity.replace(/^sha512-/, ""), "base64").toString("hex"),
    },
  },
  sizeMb: more.sizeMb,
  runtime: more.node,
});

interface NpmVersion {
  integrity: string;
  sizeMb: number;
  /** The oldest Node. */
  node: string;
}

/** A package of npm that systemd runs. */
export interface NpmService {
  /** The package's name. */
  name: string;
  /**
   * How it is installed. `npm` and `pnpm`: below `node_modules` of the release; pnpm takes a fraction of the time and shares
   * files between releases. `lock-file`: in the release itself, with pnpm and the lock file of the package.
   */
  installer: "npm" | "pnpm" | "lock-file";
  /** Versions of packages that pnpm installs instead of the requested ones. */
  overrides?: Readonly<Record<string, string>>;
  /** The start command, run in the release with PORT, ADDRESS (the public address) and the variables of `shared/environment`. */
  command: (layout: ProjectLayout) => string;
}

/** Makes a release with the installed package and its start script. */
export const makeRelease = (work: AppWork, service: NpmService): Step[] => [
  createRelease(work.layout, work.release),
  installPackage(work, service),
  writeStart(work, service.command(work.layout)),
];

function installPackage(work: AppWork, service: NpmService): Step {
  const { layout, release, version } = work;
  const { name, installer, overrides = {} } = service;
  const { checksum } = version.archive;
  const variables = {
    directory: releaseDirectory(layout, release),
    cache: `${layout.cache}/apps`,
    name,
    version: version.version,
    integrity: checksum ? `sha512-${Buffer.from(checksum.value, "hex").toString("base64")}` : "",
    ...(installer !== "npm" && {
      locked: installer === "lock-file",
      overrides: Object.entries(overrides).map(([dependency, wanted]) => `${dependency}: ${wanted}`),
      pnpm: pnpm.version,
      integrities: pnpm.integrities,
    }),
  };
  const program = installer === "npm" ? "npm" : "pnpm";
  return asProject(
    layout,
    { key: "npm-install", label: `Install ${name} from npm`, sentence: `npm could not install ${name}.` },
    scriptFile(new URL(`scripts/${program}-install.sh`, import.meta.url), variables),
    { phase: "download", timeoutSeconds: 1800 },
  );
}

/**
 * Removes files from pnpm's store that only deleted releases used: releases share its files by hard links. `pnpm store prune` of
 * the version that Longshore ships removes nothing. pnpm downloads missing files again.
 */
export const pruneStore = ({ layout }: Pick<AppWork, "layout">): Step => ({
  ...asProject(
    layout,
    { key: "prune-store", label: "Prune pnpm's store", sentence: "pnpm's store could not be pruned." },
    sh`
      cd -- ${layout.cache}/apps/pnpm-store
      find . -type f -path './v*/files/*' -links 1 -delete
      echo "Its store has what releases need."`,
    { phase: "finish" },
  ),
  onFailure: "continue",
});

// The binaries for x64 and arm64: the package `pnpm` only chooses between these.
const pnpm = {
  version: "12.4.2",
  integrities: [
    "sha512-/pbt0UVTa8NMDhzOWLQRfZ6G9ROKXlJPZtx845BqyWfc7hCrWXhTLBd70yO2y8+E+IWN3oHM1s/JsIQNGk1yvg==",
    "sha512-2dSiDXyhx+RTHsewxex8f/jVjqQXWJ2oow4kCVHEWdZKeBpgMxvZ6fHkTAUBJXgqhbKIDHvuNlZBP7gJfUWL5A==",
  ],
};

/** The script of a release that systemd starts (host/systemd/unit.ts). */
const writeStart = ({ layout, release }: AppWork, command: string): Step => {
  const directory = releaseDirectory(layout, release);
  const start = sh`
    cd -P -- ${directory}
    set -a
    PORT=$1 HOST=127.0.0.1 NODE_ENV=production
    read -r ADDRESS < ${layout.names}
    if [[ -r ${layout.shared}/environment ]]; then source ${layout.shared}/environment; fi
    NODE_OPTIONS=${nodeHeaderOption}"\${NODE_OPTIONS:+ $NODE_OPTIONS}"
    set +a
    exec bash .longshore/command`;
  return asProject(
    layout,
    { key: "write-start", label: "Write how it starts", sentence: "How it starts could not be written." },
    sh`
      mkdir -p ${directory}/.longshore
      printf '%s\\n' ${command} > ${directory}/.longshore/command
      printf '%s\\n' ${start.script} > ${directory}/.longshore/start
      echo "It starts with systemd."`,
    { phase: "download" },
  );
};

/** Reports the version from the application's own package. */
export const checkVersion = ({ layout, release }: AppWork, { name, installer }: NpmService): Step => {
  const file = installer === "lock-file" ? "./package.json" : `./node_modules/${name}/package.json`;
  return asProject(
    layout,
    { key: "install", label: `Check ${name}`, sentence: `${name} is not in its release.` },
    sh`
      cd -- ${releaseDirectory(layout, release)}
      version=$(node -p 'require(process.argv[1]).version' ${file})
      echo "Version $version"`,
    { phase: "install" },
  );
};
