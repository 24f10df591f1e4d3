import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { mustRun, runCommand } from "../../../sandbox/command.ts";
import { cutNetwork, healNetwork } from "../../../sandbox/sandbox.ts";
import { api, waitFor } from "../../../stage/api-client.ts";
import { logTailOf, startProcess } from "../../../stage/fixture.ts";
import type { Stage } from "../../../stage/support.ts";

/** A fault that happens while runs are held; in the middle of it, `open` releases them. */
export type Fault = (open: () => Promise<unknown>) => Promise<void>;

/** Settings with which the loss of a server is noticed soon. */
export const quickToGiveUp = { LONGSHORE_SSH_CONNECT_TIMEOUT_SECONDS: "10" };

/** The possible faults of a stage's control plane and of its connection to the server. */
export class Faults {
  private readonly stage: Stage;
  private readonly env: Record<string, string>;
  private restarted: { stop(): Promise<void> } | undefined;

  /** `env`: the settings of a control plane that is started again. */
  constructor(stage: Stage, env: Record<string, string> = quickToGiveUp) {
    this.stage = stage;
    this.env = env;
  }

  /** Ends the present control plane, if it is not the stage's first. */
  async end(): Promise<void> {
    await this.restarted?.stop();
  }

  async killControlPlane(open: () => Promise<unknown>): Promise<void> {
    const { dataDirectory, token } = this.stage.platform;
    const { pid } = JSON.parse(await readFile(join(dataDirectory, "lock"), "utf8")) as { pid: number };
    process.kill(pid, "SIGKILL");
    await open();
    const before = await this.timesReady();
    const started = await startProcess({ dataDirectory, env: this.env });
    this.restarted = started;
    this.stage.client = api({ url: started.url, token });
    // It answers before it works; and when its database dies before that, it exits, for a supervisor to restart it.
    const isReady = async () => (await this.timesReady()) > before;
    await waitFor("the control plane to work", isReady, { timeoutMs: 180_000 });
  }

  private async timesReady(): Promise<number> {
    const log = await readFile(join(this.stage.platform.dataDirectory, "platform.log"), "utf8");
    return log.split("Longshore is ready").length;
  }

  async killPostgres(open: () => Promise<unknown>): Promise<void> {
    const isThere = async () => (await this.postmaster()) || undefined;
    const killed = await waitFor("PostgreSQL to be there", isThere, { timeoutMs: 180_000 });
    process.kill(killed, "SIGKILL");
    await open();
    const isBack = async () =>
      ![0, killed].includes(await this.postmaster()) &&
      (await this.stage.client.answer("GET /api/v1/health")).status === 200;
    await waitFor("PostgreSQL to be back", isBack, { timeoutMs: 180_000 }).catch(async (cause: unknown) => {
      const log = await logTailOf(join(this.stage.platform.dataDirectory, "platform.log"));
      throw new Error(`PostgreSQL did not come back. The log:\n${log}`, { cause });
    });
  }

  private async postmaster(): Promise<number> {
    const file = join(this.stage.platform.dataDirectory, "postgres/data/postmaster.pid");
    return Number((await readFile(file, "utf8").catch(() => "")).split("\n")[0]);
  }

  /** `isFollowed`: the control plane has a connection to the server, or is about to. */
  async cutNetwork(
    open: () => Promise<unknown>,
    { name, address } = this.stage.server,
    isFollowed = true,
  ): Promise<void> {
    const isConnected = async () =>
      (await mustRun(["ss", "-Htn", "state", "established", "dst", address, "dport", "=", ":22"])) !== "";
    if (isFollowed) await waitFor("a connection to the server", isConnected, { timeoutMs: 180_000 });
    await cutNetwork(name);
    try {
      // Where it can, the kernel notifies our side at once; otherwise keep-alives take their time.
      await runCommand(["ss", "-tK", "dst", address, "dport", "=", ":22"]);
      await waitFor("the loss to be noticed", async () => !(await isConnected()), { timeoutMs: 180_000 });
      await open();
    } finally {
      await healNetwork(name);
    }
  }
}
