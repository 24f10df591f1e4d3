import { copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { mustRun } from "../../sandbox/command.ts";
import { serverPaths } from "../../sandbox/paths.ts";
import { downServer, execOn, upServer } from "../../sandbox/sandbox.ts";
import { serviceLayout, serviceName, serviceUser } from "../../src/service/layout.ts";
import { changeSettings } from "../../src/service/settings-file.ts";
import { waitFor } from "../../stage/api-client.ts";
import { bashOn } from "../../stage/stage.ts";

// Longshore as the service of a machine of its own: a sandbox server on which nothing else runs.

const root = resolve(import.meta.dirname, "../..");
const layout = serviceLayout();
const port = 8080;

export interface InstalledService {
  address: string;
  /** Where the API answers, from outside of the machine. */
  url: string;
  /** The page that makes the first account, with its code. */
  setupUrl: string;
  /** Runs bash as root on the machine. */
  bash(script: string): Promise<string>;
  /** Writes a file on the machine. */
  write(path: string, text: string): Promise<void>;
  /** Resolves when it answers. */
  untilHealthy(): Promise<void>;
  /** Runs `longshore admin` as the service's user; resolves with what it printed. */
  admin(args: string): Promise<Record<string, unknown>>;
  /** Everything that the service has printed. */
  journal(): Promise<string>;
  down(): Promise<void>;
}

/** Makes the Debian package of this checkout; resolves with its path. It takes half a minute. */
export async function makePackage(out: string): Promise<string> {
  const made = await mustRun([join(root, "longshore"), "package", "--out", out, "--json"]);
  return (lastObject(made) as { deb: string }).deb;
}

/** Boots a machine, installs the service there from the Debian package, and starts it with the settings that `prepare` returns. */
export async function installService(
  name: string,
  deb: string,
  prepare: (machine: Pick<InstalledService, "address" | "url" | "bash" | "write">) => Promise<Record<string, string>>,
): Promise<InstalledService> {
  try {
    const { address } = await upServer({ name });
    const machine = machineOf(name, address);
    await copyFile(deb, join(serverPaths(name).root, "root/longshore.deb"));
    await machine.bash(`
      dpkg --install /root/longshore.deb
      rm /root/longshore.deb
      install -d -m 700 ${layout.settingsDirectory}
      install -m 600 /dev/null ${layout.settings}`);
    await machine.write(layout.settings, changeSettings("", await prepare(machine)));
    const printed = await machine.bash(
      `${layout.packagedCommand} service install --host 0.0.0.0 --port ${port} --json`,
    );
    const { setup_url: setupUrl } = lastObject(printed) as { setup_url: string };
    return { ...machine, setupUrl };
  } catch (error) {
    await downServer(name);
    throw error;
  }
}

const lastObject = (printed: string): Record<string, unknown> =>
  JSON.parse(printed.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;

function machineOf(name: string, address: string): Omit<InstalledService, "setupUrl"> {
  const bash = bashOn(name);
  const write = async (path: string, text: string): Promise<void> => {
    const { exitCode, stderr } = await execOn(name, ["tee", path], { input: text });
    if (exitCode !== 0) throw new Error(stderr);
  };
  const url = `http://${address}:${port}`;
  const untilHealthy = async (): Promise<void> => {
    const answers = async () => (await fetch(`${url}/api/v1/health`)).ok;
    await waitFor("the service to answer", answers, { timeoutMs: 120_000 }).catch(async (cause) => {
      throw new Error(await bash(`systemctl status --no-pager --full ${serviceName} || true`), { cause });
    });
  };
  return {
    address,
    url,
    bash,
    write,
    untilHealthy,
    admin: async (args) => {
      const command = `${layout.packagedCommand} admin ${args} --json --data ${layout.data}`;
      const printed = await bash(`cd /; runuser -u ${serviceUser} -- ${command}`);
      return lastObject(printed);
    },
    journal: () => bash(`journalctl --unit ${serviceName} --output cat --no-pager`),
    down: () => downServer(name),
  };
}
