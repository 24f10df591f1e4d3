import assert from "node:assert/strict";
import { resolve } from "node:path";
import { mustRun } from "../../sandbox/command.ts";
import { FreshServer } from "../../src/features/servers/setup/tests/fresh-server.ts";
import { serviceLayout, serviceName, serviceUser, versionDirectory } from "../../src/service/layout.ts";
import { changeSettings } from "../../src/service/settings-file.ts";
import { renderUnit } from "../../src/service/unit.ts";

// Longshore as the service of a machine of its own: a sandbox server on which nothing else runs.

const root = resolve(import.meta.dirname, "../..");
const layout = serviceLayout();
const port = 8080;

export interface InstalledService {
  machine: FreshServer;
  /** Where the API answers, from outside of the machine. */
  url: string;
  /** Runs bash as root on the machine. */
  bash(script: string): Promise<string>;
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

/** Boots a machine and installs the service there, which is not started yet. */
export async function installService(role: string): Promise<InstalledService> {
  const machine = await FreshServer.boot(role, "bookworm");
  try {
    await installProgram(machine);
    await machine.bash(`
      useradd --system --home-dir ${layout.data} --shell /usr/sbin/nologin ${serviceUser}
      mkdir -p ${layout.settingsDirectory}`);
    await machine.write(layout.unit, renderUnit({ layout, data: layout.data, lowPorts: false, drainSeconds: 10 }));
    await machine.bash("systemctl daemon-reload");
    return serviceOn(machine);
  } catch (error) {
    await machine.down();
    throw error;
  }
}

const programFiles = ["longshore", "package.json", "package-lock.json", "src", "contract", "console/dist"];

/** Copies this checkout there with what it depends on. */
async function installProgram(machine: FreshServer): Promise<void> {
  const wanted = /^(package-lists|tools|git|node-.*)$/;
  assert.deepEqual(await machine.failuresOf(machine.steps().filter(({ key }) => wanted.test(key))), []);
  const directory = versionDirectory(layout, "0.0.0");
  const archive = await mustRun(["bash", "-c", `tar -cz ${programFiles.join(" ")} | base64`], { cwd: root });
  await machine.write("/root/longshore.tar.gz", archive);
  await machine.bash(`
    mkdir -p ${directory}
    base64 -d /root/longshore.tar.gz | tar -xz -C ${directory} --no-same-owner
    rm /root/longshore.tar.gz
    ln -s ${directory} ${layout.current}
    ln -s ${layout.current}/longshore ${layout.command}
    set -a; . /etc/environment; ${layout.command} admin --help > /dev/null`);
}

function serviceOn(machine: FreshServer): InstalledService {
  const bash = (script: string): Promise<string> => machine.bash(script);
  const health = `http://127.0.0.1:${port}/api/v1/health`;
  const untilHealthy = async (): Promise<void> => {
    const retry = "--retry 300 --retry-delay 1 --retry-all-errors";
    await bash(`curl --silent --fail ${retry} --output /dev/null ${health}`).catch(async (cause) => {
      throw new Error(`The service does not answer. ${await bash(`systemctl status ${serviceName} || true`)}`, {
        cause,
      });
    });
  };
  return {
    machine,
    url: `http://${machine.address}:${port}`,
    bash,
    configure: async (settings) => {
      const former = await bash(`cat ${layout.settings} 2> /dev/null || true`);
      await machine.write(layout.settings, changeSettings(former, settings));
      await bash(`chmod 600 ${layout.settings}`);
    },
    restart: async () => {
      await bash(`systemctl restart ${serviceName}`);
      await untilHealthy();
    },
    untilHealthy,
    admin: async (args) => {
      const command = `${layout.command} admin ${args} --json --data ${layout.data}`;
      const printed = await bash(`cd /; runuser -u ${serviceUser} -- ${command}`);
      return JSON.parse(printed.split("\n").at(-1) ?? "") as Record<string, unknown>;
    },
    journal: () => bash(`journalctl --unit ${serviceName} --output cat --no-pager`),
    down: () => machine.down(),
  };
}
