import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { runCommand } from "../../../../../sandbox/command.ts";
import { type NodeMirror, startNodeMirror } from "../../../../../sandbox/node-mirror.ts";
import { downServer, enterCommand, execOn, type SandboxServer, upServer } from "../../../../../sandbox/sandbox.ts";
import type { Step } from "../../../../engine/runs/plan.ts";
import type { SqlEngine } from "../../../../host/databases/engine.ts";
import { passwordVerifier } from "../../../../host/databases/passwords.ts";
import type { Script } from "../../../../host/sh.ts";
import { connect } from "../../../../host/ssh/connect.ts";
import type { Connection } from "../../../../host/ssh/connection.ts";
import { type Distribution, parseProbe, probeScript } from "../../../../host/system/distribution.ts";
import { type SetupInput, setupPlan, setupSecrets } from "../plans.ts";

const secrets = "/run/longshore-test";

/** Values of the secrets on every server of these tests. */
export const passwords = {
  database_password: 'it\'s a \\ "pass" $word',
  [setupSecrets.redisPassword]: "a-password_of-Redis",
  [setupSecrets.searchKey]: "a-master-key_of-Meilisearch",
};

export interface Outcome {
  key: string;
  exitCode: number;
  output: string;
}

/** A real server that runs plans' scripts one after the other, without the rest of the platform. */
export class FreshServer {
  readonly distribution: Distribution;
  readonly mirror: NodeMirror;
  private readonly server: SandboxServer;
  private engine: SqlEngine = "mariadb";

  get address(): string {
    return this.server.address;
  }

  private constructor(server: SandboxServer, mirror: NodeMirror, distribution: Distribution) {
    this.server = server;
    this.mirror = mirror;
    this.distribution = distribution;
  }

  static async boot(role: string, codeName: string): Promise<FreshServer> {
    const server = await upServer({ name: `provision-${role}-${process.pid}`, distribution: codeName });
    const { stdout } = await execOn(server.name, ["bash", "-c", probeScript.script]);
    const fresh = new FreshServer(server, await startNodeMirror(), parseProbe(stdout).distribution);
    await fresh.bash(`mkdir -m 700 ${secrets}`);
    for (const [name, text] of Object.entries(passwords)) {
      await execOn(server.name, ["tee", `${secrets}/${name}`], { input: text });
    }
    return fresh;
  }

  async down(): Promise<void> {
    await this.mirror.close();
    await downServer(this.server.name);
  }

  /** Resolves with the script's output; fails the test if the script fails. */
  async bash(script: string): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run({ script });
    assert.equal(exitCode, 0, stderr);
    return stdout.trim();
  }

  run({ script }: Script): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    return execOn(this.server.name, ["bash", "-euo", "pipefail", "-c", script]);
  }

  /** Connects as the control plane does, to the host key given or to the one that the server shows first. */
  async connect(hostKey?: string): Promise<Connection> {
    const { name, address, sshPort, privateKeyPath } = this.server;
    const privateKey = await readFile(privateKeyPath, "utf8");
    return connect({ name, host: address, port: sshPort, privateKey, hostKey }, 20_000);
  }

  /** Writes a file, whose directory exists. */
  async write(path: string, text: string): Promise<void> {
    const { exitCode, stderr } = await execOn(this.server.name, ["tee", path], { input: text });
    assert.equal(exitCode, 0, stderr);
  }

  steps(changes: Partial<SetupInput> = {}): Step[] {
    this.engine = changes.databaseEngine === "postgresql" ? "postgresql" : "mariadb";
    return setupPlan({
      serverType: 0,
      distribution: this.distribution,
      declared: this.distribution,
      databaseEngine: "mariadb",
      database: { name: "app", username: "app_user", mark: "longshore-database-7" },
      timezone: "Europe/Berlin",
      sshPort: 22,
      controlKey: "ssh-ed25519 AAAAcontrol longshore",
      nodeVersions: [this.mirror.versions[0] as string],
      nodeMirror: `http://${this.server.address.replace(/\d+$/, "1")}:${this.mirror.port}`,
      ...changes,
    }).steps;
  }

  /** Runs all steps, even after failures; resolves with the failed ones. */
  async failuresOf(steps: readonly Step[]): Promise<Outcome[]> {
    // The environment that systemd gives to every unit, and so to a run.
    const defaults = await this.bash("systemctl show-environment");
    const environment = [`LONGSHORE_SECRETS=${secrets}`, `LONGSHORE_FACTS=${secrets}/facts`, ...defaults.split("\n")];
    const verifier = passwordVerifier(this.engine, passwords.database_password);
    await execOn(this.server.name, ["tee", `${secrets}/${setupSecrets.databaseVerifier}`], { input: verifier });
    const enter = await enterCommand(this.server.name);
    const failures: Outcome[] = [];
    for (const { key, script } of steps) {
      const argv = [...enter, "env", ...environment, "bash", "-euo", "pipefail", "-c", script];
      const { exitCode, stdout, stderr } = await runCommand(argv);
      if (exitCode !== 0) failures.push({ key, exitCode, output: stdout + stderr });
    }
    return failures;
  }

  async facts(): Promise<Map<string, string>> {
    const lines = (await this.bash(`cat ${secrets}/facts`)).split("\n");
    return new Map(lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const));
  }

  /** All files that the platform writes, and for each service the times of its start and of its last reload. */
  state(): Promise<string> {
    return this.bash(`
      find /etc /opt/longshore /srv /usr/local /home -xdev \\( -type f -o -type l \\) -printf '%p %T@ %i\\n' | sort
      for unit in nginx $(cd /lib/systemd/system && ls -d php*-fpm.service || true) mariadb postgresql redis-server \\
        meilisearch fail2ban nftables ssh cron systemd-journald; do
        echo "$unit $(systemctl show "$unit" -p ActiveEnterTimestampMonotonic -p StateChangeTimestampMonotonic -p MainPID)"
      done
      nft list table inet longshore`);
  }
}
