import type { Step } from "../../engine/plan.ts";
import { releaseDirectory } from "../../host/layout.ts";
import { sh } from "../../host/sh.ts";
import type { AppVersion, AppWork } from "./app.ts";
import { scriptFile } from "./script-file.ts";
import { asProject, createRelease } from "./steps.ts";

// Applications that npm installs and that run as Node services. npm verifies each package against the registry's checksum;
// the application's own package is compared besides with the integrity that Longshore ships.

/** A version of a package: `integrity` is the registry's `sha512-…`. */
export const npmVersion = (name: string, version: string, more: NpmVersion): AppVersion => ({
  version,
  archive: {
    file: `${name}-${version}.tgz`,
    url: npmOrigin(name, version),
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

export const npmOrigin = (name: string, version: string): string =>
  `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`;

/** The release with the package installed in it. */
export const npmInstall = ({ layout, release, version }: AppWork, name: string): Step[] => [
  createRelease(layout, release),
  asProject(
    layout,
    { key: "npm-install", label: `Install ${name} from npm`, sentence: `npm could not install ${name}.` },
    scriptFile(new URL("scripts/npm-install.sh", import.meta.url), {
      directory: releaseDirectory(layout, release),
      cache: `${layout.cache}/apps/npm`,
      name,
      version: version.version,
      integrity: version.archive.checksum
        ? `sha512-${Buffer.from(version.archive.checksum.value, "hex").toString("base64")}`
        : "",
    }),
    { phase: "download", timeoutSeconds: 1800 },
  ),
];

/**
 * What systemd runs of a release (host/unit.ts): `command` with PORT, HOST and the variables of the file `environment` among the
 * shared ones.
 */
export const writeStart = ({ layout, release }: AppWork, command: string): Step => {
  const directory = releaseDirectory(layout, release);
  const start = sh`
    cd -P -- ${directory}
    export PORT=$1 HOST=127.0.0.1 NODE_ENV=production
    if [[ -r ${layout.shared}/environment ]]; then set -a; source ${layout.shared}/environment; set +a; fi
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
