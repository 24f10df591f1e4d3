import { readFile } from "node:fs/promises";
import { mustRun } from "../../../sandbox/command.ts";
import { downServer, enterCommand, type SandboxServer, upServer } from "../../../sandbox/sandbox.ts";
import type { Address } from "../ssh.ts";

/** A booted server of a test file's own. */
export interface Booted {
  server: SandboxServer;
  address: Address;
  /** Runs bash as root on it, beside its network; resolves with what it printed and rejects when it fails. */
  bash(script: string): Promise<string>;
  down(): Promise<void>;
}

/** Boots a fresh server; `role` tells it from others of the same test process. */
export async function boot(role: string): Promise<Booted> {
  const name = `t${process.pid}-${role}`;
  const server = await upServer({ name });
  const privateKey = await readFile(server.privateKeyPath, "utf8");
  return {
    server,
    address: { name, host: server.address, port: server.sshPort, privateKey },
    bash: async (script) => {
      // Asked each time: a reboot changes what to enter.
      const enter = await enterCommand(name);
      return (await mustRun([...enter, "bash", "-euo", "pipefail", "-c", script])).trim();
    },
    down: () => downServer(name),
  };
}
