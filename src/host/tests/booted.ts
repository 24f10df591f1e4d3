import { readFile } from "node:fs/promises";
import { mustRun } from "../../../sandbox/command.ts";
import { downServer, enterCommand, type SandboxServer, upServer } from "../../../sandbox/sandbox.ts";
import type { Address } from "../ssh/connection.ts";

/** A booted server that only one test file uses. */
export interface Booted {
  server: SandboxServer;
  address: Address;
  /** Runs bash as root on it, outside of SSH; resolves with its output and rejects when it fails. */
  bash(script: string): Promise<string>;
  down(): Promise<void>;
}

/** Boots a fresh server; `role` distinguishes it from others of the same test process. */
export async function boot(role: string): Promise<Booted> {
  const name = `t${process.pid}-${role}`;
  const server = await upServer({ name });
  const privateKey = await readFile(server.privateKeyPath, "utf8");
  return {
    server,
    address: { name, host: server.address, port: server.sshPort, privateKey },
    bash: async (script) => {
      // Determined at each call: a reboot changes the process to enter.
      const enter = await enterCommand(name);
      return (await mustRun([...enter, "bash", "-euo", "pipefail", "-c", script])).trim();
    },
    down: () => downServer(name),
  };
}
