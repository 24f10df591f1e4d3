import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { startAppsMirror } from "./apps-mirror/server.ts";
import { requireSandbox } from "./base.ts";
import { exitCodeOfSignal } from "./command.ts";
import { defaultDistribution, distributionNames } from "./distributions.ts";
import { messageOf, SandboxError } from "./errors.ts";
import { ensureBridgeAddress } from "./network.ts";
import { startNodeMirror } from "./node-mirror.ts";
import { withProgress } from "./progress.ts";
import {
  cutNetwork,
  downAll,
  downServer,
  enterCommand,
  healNetwork,
  listServers,
  rebootServer,
  type SandboxServer,
  upServer,
} from "./sandbox.ts";

const program = new Command("longshore sandbox")
  .description("Real local servers with systemd and SSH, each with an address of its own.")
  .enablePositionalOptions();

program
  .command("up <name>")
  .description("boot a server; prints how to reach it")
  .option("--authorized-key <file>", "a public key that may log in as root too")
  .option("--distribution <name>", distributionNames.join(", "), defaultDistribution)
  .option("--json", "print one JSON object")
  .action(up);

program
  .command("down [name]")
  .description("remove a server, or with --all everything the sandbox made but its images")
  .option("--all", "remove all servers, the bridge and its rules")
  .option("--json", "print one JSON object")
  .action(down);

program
  .command("list")
  .description("all servers and how they are")
  .option("--json", "print one JSON object")
  .action(list);

program
  .command("exec <name> <command...>")
  .description("run a command as root in a server, without using its network")
  .passThroughOptions()
  .action(exec);

program
  .command("mirror")
  .description("serve what managed servers download, until Ctrl-C: Node from npm, WordPress and Adminer from Debian")
  .option("--port <number>", "port of the applications; Node's is the next one. Free ports when absent", "0")
  .option("--json", "print one JSON object with the settings to start `up` with")
  .action(mirror);

simpleCommand("cut", "let all packets from and to a server vanish", "Cutting off", cutNetwork);
simpleCommand("heal", "reverse cut", "Healing", healNetwork);
simpleCommand("reboot", "reboot a server and wait until SSH answers", "Rebooting", rebootServer);

interface UpFlags {
  authorizedKey?: string;
  distribution: string;
}

async function up(name: string, { authorizedKey, distribution }: UpFlags): Promise<void> {
  const authorizedKeys = authorizedKey === undefined ? [] : await readKeys(authorizedKey);
  const server = await withProgress(`Booting ${name} …`, (onProgress) =>
    upServer({ name, authorizedKeys, distribution, onProgress }),
  );
  process.stderr.write(`ssh -i ${server.privateKeyPath} root@${server.address}\n`);
  printJson(contractView(server));
}

async function readKeys(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new SandboxError(`The key file ${file} cannot be read: ${messageOf(cause)}`, { cause });
  });
  if (text.includes("PRIVATE KEY"))
    throw new SandboxError(`${file} is a private key: give the public one, ${file}.pub.`);
  return text.split("\n").filter((line) => line.trim() !== "");
}

async function down(name: string | undefined, { all, json }: { all?: true; json?: true }): Promise<void> {
  if ((name === undefined) !== (all === true)) throw new SandboxError("Say which server to remove, or --all.");
  const names = await withProgress(`Removing ${name ?? "all servers"} …`, async () => {
    if (name === undefined) return downAll();
    await downServer(name);
    return [name];
  });
  if (json) printJson({ removed: names });
}

async function list({ json }: { json?: true }): Promise<void> {
  await requireSandbox();
  const servers = await listServers();
  if (json) {
    const rows = servers.map(({ status, distribution, ...server }) => ({
      ...contractView(server),
      distribution,
      status,
    }));
    printJson({ servers: rows });
    return;
  }
  if (servers.length === 0) process.stderr.write("No servers: ./longshore sandbox up NAME boots one.\n");
  const width = Math.max(0, ...servers.map(({ name }) => name.length));
  for (const { name, address, distribution, status } of servers) {
    process.stdout.write(`${name.padEnd(width)}  ${address.padEnd(15)}  ${distribution.padEnd(8)}  ${status}\n`);
  }
}

async function exec(name: string, command: string[]): Promise<void> {
  const [file = "", ...args] = await enterCommand(name);
  // The "--" that ends our options stays among the words when options are passed through.
  const words = command[0] === "--" ? command.slice(1) : command;
  const child = spawn(file, [...args, ...words], { stdio: "inherit" });
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  process.exitCode = code ?? exitCodeOfSignal(signal);
}

async function mirror({ port, json }: { port: string; json?: true }): Promise<void> {
  const first = Number(port);
  if (!Number.isInteger(first) || first < 0 || first > 65_534) throw new SandboxError("The port must be a number.");
  await requireSandbox();
  const host = await ensureBridgeAddress();
  const started = await withProgress("Putting the applications together (once, two minutes) …", async () => ({
    apps: await startAppsMirror({ host, port: first }),
    node: await startNodeMirror({ host, port: first === 0 ? 0 : first + 1 }),
  }));
  const env = {
    LONGSHORE_NODE_MIRROR: started.node.url,
    LONGSHORE_APPS_MIRROR: started.apps.url,
    // Debian's packages are not the archives whose checksums Longshore has.
    LONGSHORE_APPS_CHECKSUMS: "off",
  };
  process.stderr.write(`Start the platform with these settings; Ctrl-C ends the mirror. WP-CLI is a stand-in.\n`);
  if (json) printJson({ env, versions: started.apps.versions });
  else for (const [name, value] of Object.entries(env)) process.stdout.write(`${name}=${value}\n`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await Promise.all([started.apps.close(), started.node.close()]);
}

function simpleCommand(verb: string, description: string, doing: string, act: (name: string) => Promise<void>): void {
  program
    .command(`${verb} <name>`)
    .description(description)
    .option("--json", "print one JSON object")
    .action(async (name: string, { json }: { json?: true }) => {
      await withProgress(`${doing} ${name} …`, () => act(name));
      const server = (await listServers()).find((each) => each.name === name);
      if (json) printJson({ name, status: server?.status });
    });
}

const contractView = ({ name, address, sshPort, privateKeyPath }: SandboxServer) => ({
  name,
  address,
  ssh_port: sshPort,
  private_key_path: privateKeyPath,
});

const printJson = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof SandboxError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
