import { mustRun } from "../sandbox/command.ts";
import type { SandboxServer } from "../sandbox/sandbox.ts";

/** As a careful person would write it by hand: fetch, export, replace the link atomically, keep five releases. */
const deployScript = `
set -euo pipefail
repository=$1 root=$2
mkdir -p "$root/releases"
[ -d "$root/mirror.git" ] || git clone --quiet --mirror "$repository" "$root/mirror.git"
git -C "$root/mirror.git" fetch --quiet --prune origin
release=$root/releases/$(date +%s%N)
mkdir "$release"
git -C "$root/mirror.git" archive main | tar -x -C "$release"
ln -s "$release" "$root/current.new"
mv -T "$root/current.new" "$root/current"
ls -1d "$root"/releases/* | head -n -5 | xargs -r rm -rf
`;

/** Runs the script over an SSH connection of its own, as from a person's or a CI job's shell. */
export function deployByScript(server: SandboxServer, repositoryUrl: string, root: string): Promise<string> {
  const once = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"];
  const ssh = ["ssh", "-i", server.privateKeyPath, ...once, `root@${server.address}`];
  return mustRun([...ssh, "bash", "-s", "--", repositoryUrl, root], { input: deployScript });
}
