import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "../../../../../stage/free-port.ts";
import { pollUntil } from "../../../../lib/clock.ts";
import { serviceLayout } from "../../../layout.ts";
import { type UpgradeLayout, upgradeLayout } from "../../layout.ts";
import { mustRun } from "../../run-program.ts";
import type { Order } from "./upgrade-process.ts";

const here = import.meta.dirname;
const serviceUid = 4711;

/** What a version of Longshore does in these tests. */
export interface Program {
  version: string;
  schema: number;
  /** It ends after its migrations, with an error. */
  isBroken?: boolean;
  /** Its package has no dependencies in it. */
  isBare?: boolean;
}

export interface Reply {
  outcome?: "up_to_date" | "upgraded" | "taken_back";
  version?: string;
  from?: string;
  to?: string;
  reason?: string;
  log?: string[];
  down?: boolean;
  wasInterrupted?: boolean;
  notes?: string[];
  error?: string;
  /** It was killed before it could answer. */
  killed?: true;
}

/**
 * A directory tree as that of a machine with the installed service, whose processes are real; programs of systemd are replaced by
 * scripts that start and stop them.
 */
export class Machine {
  readonly root: string;
  readonly layout: UpgradeLayout;
  readonly source: string;
  private readonly port: number;

  private constructor(root: string, port: number) {
    this.root = root;
    this.port = port;
    this.layout = upgradeLayout(serviceLayout(root));
    this.source = join(root, "source");
  }

  /** With 0.3.0 installed and running. */
  static async start(): Promise<Machine> {
    const root = await mkdtemp(join(tmpdir(), "longshore-upgrade-"));
    await chmod(root, 0o755);
    const machine = new Machine(root, await freePort());
    await machine.install();
    await machine.systemctl("start");
    await machine.awaitVersion("0.3.0");
    return machine;
  }

  private async install(): Promise<void> {
    const { layout, root, source } = this;
    for (const path of [
      layout.versions,
      layout.settingsDirectory,
      layout.data,
      source,
      join(root, "run"),
      join(root, "bin"),
    ])
      await mkdir(path, { recursive: true });
    await mkdir(join(root, "etc/systemd/system"), { recursive: true });
    const names = {
      systemctl: "systemctl",
      journalctl: "journalctl",
      "systemd-run": "nothing",
      "dpkg-query": "nothing",
    };
    for (const [name, file] of Object.entries(names)) await copyProgram(file, join(root, "bin", name));
    await this.unpack({ version: "0.3.0", schema: 1 }, join(layout.versions, "0.3.0"));
    await symlink("versions/0.3.0", layout.current);
    const settings = { LONGSHORE_DATA: layout.data, LONGSHORE_PORT: this.port, LONGSHORE_UPDATE_SOURCE: source };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(layout.settings, lines.join(""));
    await this.store({ schema: 1, rows: ["a server"] });
    const control = join(layout.data, "postgres/data/global/pg_control");
    await mkdir(join(control, ".."), { recursive: true });
    await writeFile(control, "");
    if (process.getuid?.() === 0) await mustRun(["chown", "--recursive", `${serviceUid}:${serviceUid}`, layout.data]);
  }

  private async unpack({ version, ...program }: Program, directory: string): Promise<void> {
    await mkdir(program.isBare ? directory : join(directory, "node_modules"), { recursive: true });
    await copyProgram("longshore", join(directory, "longshore"));
    await copyFile(join(here, "service.mjs"), join(directory, "service.mjs"));
    await writeFile(join(directory, "package.json"), JSON.stringify({ name: "longshore", version, ...program }));
    await writeFile(
      join(directory, "CHANGELOG.md"),
      `# Changelog\n\n## ${version}\n\n* News of ${version}.\n\n## 0.3.0\n\n* Old.\n`,
    );
  }

  /** Makes a package of it; returns its file. */
  async pack(program: Program): Promise<string> {
    const directory = join(this.root, "made");
    await this.unpack(program, join(directory, "package"));
    const file = join(this.source, `longshore-${program.version}.tgz`);
    await mustRun(["tar", "--create", "--gzip", `--file=${file}`, `--directory=${directory}`, "package"]);
    await rm(directory, { recursive: true });
    return file;
  }

  /** Puts a version into the update source. */
  async offer(program: Program): Promise<void> {
    await this.pack(program);
    await mustRun(["bash", "-c", 'cd -- "$0" && sha256sum -- *.tgz >SHA256SUMS', this.source]);
  }

  /** Upgrades in a process of its own. */
  async upgrade(order: Omit<Order, "root"> = {}): Promise<Reply> {
    const child = this.spawn(order);
    const [output, errors] = await Promise.all([text(child.stdout as never), text(child.stderr as never)]);
    if (child.signalCode ?? (await once(child, "exit"))[1]) return { killed: true };
    if (errors !== "") throw new Error(errors);
    return JSON.parse(output) as Reply;
  }

  private spawn(order: Omit<Order, "root">): ChildProcess {
    const argument = JSON.stringify({ root: this.root, ...order } satisfies Order);
    const env = { ...process.env, PATH: `${join(this.root, "bin")}${delimiter}${process.env.PATH}` };
    return spawn(process.execPath, [join(here, "upgrade-process.ts"), argument], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** A power cut and the next start: everything ends, then systemd settles the upgrade, and starts the service if nothing holds it. */
  async reboot(): Promise<Reply> {
    await this.systemctl("stop");
    const reply = await this.upgrade({ settle: "boot" });
    await this.systemctl("start");
    return reply;
  }

  systemctl = (verb: "start" | "stop"): Promise<string> =>
    mustRun([join(this.root, "bin/systemctl"), verb, "longshore.service"]);

  /** The version that answers. */
  async version(): Promise<string | undefined> {
    try {
      return (await fetch(`http://127.0.0.1:${this.port}/`)).headers.get("X-Longshore-Version") ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Throws with the log if it does not answer. */
  async awaitVersion(version: string): Promise<void> {
    if (await pollUntil(async () => (await this.version()) === version, { timeoutMs: 60_000 })) return;
    throw new Error(`${version} does not answer: ${await readFile(join(this.root, "run/log"), "utf8")}`);
  }

  stored = async (): Promise<unknown> => JSON.parse(await readFile(join(this.layout.data, "database.json"), "utf8"));

  store = (content: unknown): Promise<void> =>
    writeFile(join(this.layout.data, "database.json"), JSON.stringify(content));

  /** As if PostgreSQL had stored something at that time. */
  useDatabaseAt = (at: Date): Promise<void> =>
    utimes(join(this.layout.data, "postgres/data/global/pg_control"), at, at);

  async end(): Promise<void> {
    await this.systemctl("stop");
    await rm(this.root, { recursive: true });
  }
}

async function copyProgram(name: string, to: string): Promise<void> {
  await copyFile(join(here, name), to);
  await chmod(to, 0o755);
}
