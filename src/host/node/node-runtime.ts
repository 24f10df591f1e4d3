import { AppError } from "../../lib/errors.ts";
import { exclusively } from "../runner/lock.ts";
import { type Script, sh } from "../sh.ts";

export const nodeDirectory = "/opt/longshore/node";
export const defaultNodeMirror = "https://nodejs.org/dist";

/**
 * A file in the directory of a version that was fetched for a release rather than by the setup: the version is removed
 * when no release uses it.
 */
export const onDemandMark = ".on-demand";

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
  const whole = version.includes(".");
  const site = mirror.replace(/\/+$/, "");
  return sh`
    mkdir -p ${nodeDirectory}
    ${exclusively("node")}
    installed=$(find ${nodeDirectory} -maxdepth 1 -type d -name ${directoryName(version)} -printf '%f\\n' | sort -V | tail -n 1)
    if [ -n "$installed" ]; then
      rm -f ${nodeDirectory}/"$installed"/${onDemandMark}
      echo "Node $installed is installed."
      exit
    fi
    ${fetchFunction}
    ${whole ? sh`found=${version}` : newestOf(site, version)}
    ${unpack(site)}
    mv -T unpacked ${nodeDirectory}/"$found"
    echo "Installed Node $found."`;
};

/** The same for the version in `version`, of the form x.y.z, which a release requests. */
export const installNodeOnDemand = (mirror: string): Script => sh`
  ${exclusively("node")}
  found=$version
  if [ -d ${nodeDirectory}/"$found" ]; then exit; fi
  ${fetchFunction}
  ${unpack(mirror.replace(/\/+$/, ""))}
  : > unpacked/${onDemandMark}
  mv -T unpacked ${nodeDirectory}/"$found"
  echo "Installed Node $found."`;

/** `fetch ADDRESS FILE`, and a directory for the downloads. */
const fetchFunction = sh`
  case $(uname -m) in
    x86_64) architecture=x64 ;;
    aarch64) architecture=arm64 ;;
    *) fail "Node is not available for $(uname -m)." ;;
  esac
  fetch() { curl -fsSL --retry 3 --connect-timeout 15 --max-time 900 -o "$2" -- "$1"; }
  scratch=$(mktemp -d ${nodeDirectory}/.fetch.XXXXXX)
  cd "$scratch"`;

/** Leaves the version in `found` as `unpacked`, after a test run. */
const unpack = (site: string): Script => sh`
  address=${site}/v$found
  fetch "$address/SHASUMS256.txt" sums || fail "$address holds no Node $found."
  # gzip is part of every system; xz may not be there yet.
  line=$(grep -F " node-v$found-linux-$architecture.tar.gz" sums ||
    grep -F " node-v$found-linux-$architecture.tar.xz" sums) ||
    fail "$address has no Node for linux-$architecture."
  file=\${line##* }
  fetch "$address/$file" "$file" || fail "$file could not be fetched from $address."
  sha256sum --check --status <<< "$line" ||
    fail "$file from $address is not what its checksum says and was thrown away."
  mkdir unpacked
  tar -xf "$file" -C unpacked --strip-components=1 --no-same-owner
  installed=$(unpacked/bin/node --version) || fail "Node $found does not start on this server."
  [ "$installed" = "v$found" ] || fail "$file holds Node $installed."
  chmod 755 unpacked`;

const newestOf = (site: string, major: string): Script => sh`
  fetch ${`${site}/index.json`} index || fail ${`${site} does not answer with a list of versions.`}
  found=$(grep -oE ${`"version": ?"v${major}[.][0-9]+[.][0-9]+"`} index | grep -oE '[0-9]+[.][0-9]+[.][0-9]+' |
    sort -V | tail -n 1) || fail ${`${site} has no version of Node ${major}.`}`;

const directoryName = (version: string): string => (version.includes(".") ? version : `${version}.*`);

// Release lines that run on every Node from 18 on. Both hand over to the version that a project itself requests: pnpm fetches
// the one in package.json, yarn runs the one that .yarnrc.yml points to. Their checksums are the registry's `dist.integrity`
// (`npm view pnpm@10.34.9 dist.integrity`): a registry, or a mirror that a server uses in its place, cannot send another
// archive under the same version.
const packageManagers = {
  "pnpm@10.34.9": "9JtajqD97bRLs8DB1ldQkqU8KVDZW3rRXfEfF5dId6LeOgHAfpNOmyjOcW5RwJqUlixzBtCb4uHksYqMh2L9Mg==",
  "yarn@1.22.22": "prL3kGtyG7o9Z9Sv8IPfBNrWTDmXB4Qbes8A9rEzt6wkJV8mUvoirjU0Mp3GGAU06Y0XQyA3/2/RQFVuK7MTfg==",
};

const packageManagersOfFound: Script = sh`
  prefix=${nodeDirectory}/$found
  PATH=$prefix/bin:$PATH
  missing=()
  declare -A checksums=()
  while read -r package checksum; do
    checksums[$package]=$checksum
    [ -e "$prefix/bin/\${package%@*}" ] || missing+=("$package")
  done <<< ${Object.entries(packageManagers)
    .map(([name, integrity]) => `${name} ${Buffer.from(integrity, "base64").toString("hex")}`)
    .join("\n")}
  if [ "\${#missing[@]}" = 0 ]; then
    echo "pnpm and yarn are installed."
    exit
  fi
  # With npm's cache, which nothing else uses.
  scratch=$(mktemp -d)
  quietly=(--cache "$scratch/cache" --no-progress --no-update-notifier --loglevel=error)
  npm pack "\${quietly[@]}" --pack-destination "$scratch" -- "\${missing[@]}" > /dev/null ||
    fail "npm could not install \${missing[*]} from $(npm config get registry); its own words are above."
  for package in "\${missing[@]}"; do
    sha512sum --check --status <<< "\${checksums[$package]}  $scratch/\${package/@/-}.tgz" ||
      fail "$package from $(npm config get registry) is not what its checksum says and was not installed."
  done
  npm install --global --prefix "$prefix" "\${quietly[@]}" --ignore-scripts --no-audit --no-fund -- "$scratch"/*.tgz ||
    fail "npm could not install \${missing[*]}; its own words are above."
  pnpm --version > /dev/null || fail "pnpm is installed but does not start."
  yarn --version > /dev/null || fail "yarn is installed but does not start."
  echo "Installed \${missing[*]}."`;

/**
 * Installs pnpm and yarn beside the npm of an installed version, from the registry that npm uses on the server; an
 * existing installation stays unchanged. Node 25 and later come without corepack, which would have fetched them on
 * demand.
 */
export const installPackageManagers = (version: string): Script => sh`
  ${exclusively("node")}
  found=$(find ${nodeDirectory} -maxdepth 1 -type d -name ${directoryName(version)} -printf '%f\\n' | sort -V | tail -n 1)
  [ -n "$found" ] || fail ${`Node ${version} is not installed, so neither are pnpm and yarn.`}
  ${packageManagersOfFound}`;

/** The same for the version in `version`, of the form x.y.z. */
export const installPackageManagersOnDemand: Script = sh`
  ${exclusively("node")}
  found=$version
  ${packageManagersOfFound}`;

/** Name of the unit that fetches in the background, one for each version. */
const fetchUnit = (version: string): string => `longshore-node-${version}`;

/**
 * Starts the scripts in the background, one after the other, while packages are installed: the steps that need the
 * results run the same scripts, and wait or find the work done. A failure here costs nothing.
 */
export const fetchNodeInBackground = (version: string, installation: Script, additions: Script): Script => sh`
  if ! command -v curl > /dev/null; then
    echo "Node is fetched later, when curl is installed."
    exit
  fi
  # Files, because systemd-run would replace variables in an argument. They go with the next boot.
  # shellcheck disable=SC2016
  put_file ${`/run/${fetchUnit(version)}.sh`} 0700 ${installation.script}
  # shellcheck disable=SC2016
  put_file ${`/run/${fetchUnit(version)}-additions.sh`} 0700 ${additions.script}
  systemd-run --quiet --collect --unit=${fetchUnit(version)} --description=${`Longshore: fetch Node ${version}`} bash -c \\
    ${["", "-additions"].map((part) => `bash -euo pipefail /run/${fetchUnit(version)}${part}.sh`).join(" && ")} || true
  echo "Node is fetched while packages are installed."`;

/** Makes the installed version that the given version stands for the server's `node`, as fact `node_version`. */
export const activateNode = (version: string): Script => sh`
  found=$(find ${nodeDirectory} -maxdepth 1 -type d -name ${directoryName(version)} \\
    -printf '%f\\n' | sort -V | tail -n 1)
  [ -n "$found" ] || fail ${`Node ${version} is not installed, so there is no node command.`}
  put_link "$found" ${nodeDirectory}/current
  fact node_version "$found"
  echo "node is Node $found."`;

/** Commands for every user. Files that an operator put there stay. */
export const linkNodeCommands: Script = sh`
  foreign=()
  for name in node npm npx corepack pnpm pnpx yarn yarnpkg; do
    command=${nodeDirectory}/current/bin/$name path=/usr/local/bin/$name
    if [ -L "$path" ] && [ "$(readlink "$path")" = "$command" ]; then
      # Node 25 and later come without corepack.
      [ -e "$command" ] || rm "$path"
    elif [ -e "$path" ] || [ -L "$path" ]; then
      foreign+=("$path")
    elif [ -e "$command" ]; then
      put_link "$command" "$path"
    fi
  done
  node --version > /dev/null || fail "node does not start."
  [ "\${#foreign[@]}" = 0 ] ||
    fail "\${foreign[*]}: not installed by Longshore and left alone; remove it and run the setup again."
  echo "The commands of Node are in /usr/local/bin."`;

export const verifyNpm: Script = sh`
  version=$(npm --version) || fail "npm does not start."
  echo "npm $version works."`;
