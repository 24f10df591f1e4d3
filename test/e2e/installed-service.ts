import { copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { mustRun } from "../../sandbox/command.ts";
import { serverPaths } from "../../sandbox/paths.ts";
import { downServer, execOn, upServer } from "../../sandbox/sandbox.ts";
import { serviceLayout, serviceName, serviceUser } from "../../src/service/layout.ts";
import { changeSettings } from "../../src/service/settings-file.ts";
import { renderUnit } from "../../src/service/unit.ts";
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
  /** Runs bash as root on the machine. */
  bash(script: string): Promise<string>;
  /** Writes a file on the machine. */
  write(path: string, text: string): Promise<void>;
  /** Writes settings into the settings file; the next start reads them. */
  configure(settings: Record<string, string>): Promise<void>;
  /** Starts the service, or starts it again; resolves when it answers. */
  restart(): Promise<void>;
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
  return (JSON.parse(made.trim().split("\n").at(-1) ?? "") as { deb: string }).deb;
}

/** Boots a machine and installs the service there from the Debian package. It is not started yet. */
export async function installService(name: string, deb: string): Promise<InstalledService> {
  try {
    const { address } = await upServer({ name });
    const service = serviceOn(name, address);
    await copyFile(deb, join(serverPaths(name).root, "root/longshore.deb"));
    await service.bash(`
      dpkg --install /root/longshore.deb
      rm /root/longshore.deb
      useradd --system --home-dir ${layout.data} --shell /usr/sbin/nologin ${serviceUser}
      install -d -m 755 ${layout.settingsDirectory}`);
    await service.write(layout.unit, renderUnit({ layout, data: layout.data, lowPorts: false, drainSeconds: 10 }));
    await service.configure({ LONGSHORE_DATA: layout.data, LONGSHORE_PORT: String(port) });
    await service.bash("systemctl daemon-reload");
    return service;
  } catch (error) {
    await downServer(name);
    throw error;
  }
}

function serviceOn(name: string, address: string): InstalledService {
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
    configure: async (settings) => {
      const former = await bash(`cat ${layout.settings} 2> /dev/null || true`);
      await write(layout.settings, changeSettings(former, settings));
      await bash(`chmod 600 ${layout.settings}`);
    },
    restart: async () => {
      await bash(`systemctl restart ${serviceName}`);
      await untilHealthy();
    },
    admin: async (args) => {
      const command = `${layout.packagedCommand} admin ${args} --json --data ${layout.data}`;
      const printed = await bash(`cd /; runuser -u ${serviceUser} -- ${command}`);
      return JSON.parse(printed.split("\n").at(-1) ?? "") as Record<string, unknown>;
    },
    journal: () => bash(`journalctl --unit ${serviceName} --output cat --no-pager`),
    down: () => downServer(name),
  };
}
