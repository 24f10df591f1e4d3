import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { type CommandResult, runCommand } from "../command.ts";
import type { SandboxServer } from "../sandbox.ts";

/** A server name that no other test file or run uses at the same time. */
export const uniqueName = (name: string): string => `t${process.pid}-${name}`;

/** The command line that runs a command on the server over its network, as an outsider would. */
export const sshCommand = (
  { address, privateKeyPath }: SandboxServer,
  connectTimeoutSeconds: number,
  ...command: string[]
): string[] => [
  "ssh",
  ...["-i", privateKeyPath, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"],
  ...[
    "-o",
    "LogLevel=ERROR",
    "-o",
    "BatchMode=yes",
    "-o",
    `ConnectTimeout=${connectTimeoutSeconds}`,
    `root@${address}`,
  ],
  ...command,
];

export const overSsh = (server: SandboxServer, ...command: string[]): Promise<CommandResult> =>
  runCommand(sshCommand(server, 30, ...command));

/** Gives up after two seconds: for a server that does not answer. */
export const overSshBriefly = (server: SandboxServer, ...command: string[]): Promise<CommandResult> =>
  runCommand(sshCommand(server, 2, ...command));

/** A shell on the server over one connection that stays open; `say` resolves with the next line that it prints. */
export function openShell(server: SandboxServer) {
  const child = spawn("ssh", [...sshCommand(server, 30).slice(1), "cat"], { stdio: ["pipe", "pipe", "inherit"] });
  return {
    say: (text: string): Promise<string> => {
      const received = new Promise<string>((resolve) =>
        child.stdout.once("data", (data: Buffer) => resolve(data.toString())),
      );
      child.stdin.write(text);
      return received;
    },
    close: () => child.kill(),
  };
}

/** Everything on the machine that still has the name: mounts, network devices, processes, rules. Empty after a clean removal. */
export async function tracesOf(...marks: readonly string[]): Promise<string[]> {
  const [links, rules, processes] = await Promise.all([
    runCommand(["ip", "-o", "link", "show"]),
    runCommand(["iptables-save"]),
    runCommand(["ps", "-eo", "args"]),
  ]);
  const mounts = await readFile("/proc/self/mountinfo", "utf8");
  const lines = [mounts, links.stdout, rules.stdout, processes.stdout].join("\n").split("\n");
  return lines.filter((line) => marks.some((mark) => new RegExp(`(^|[^\\w-])${mark}([^\\w-]|$)`).test(line)));
}
