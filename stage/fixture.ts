import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CustomServerRequest, Setup, WholeServer } from "../contract/types.ts";
import { mustRun } from "../sandbox/command.ts";
import { startNodeMirror } from "../sandbox/node-mirror.ts";
import { ensureImage, execOn, type SandboxServer, type UpOptions, upServer } from "../sandbox/sandbox.ts";
import { type Api, api, GiveUp, waitFor } from "./api-client.ts";
import { freePort } from "./free-port.ts";
import { type GitServer, startGitServer } from "./git-server.ts";

// Shared by demo, benchmarks and end-to-end tests: a platform as a separate process, used only through its commands and its API.

const repositoryRoot = join(import.meta.dirname, "..");
const launcherOf = (program: string): string => join(program, "longshore");

export interface Platform {
  url: string;
  client: Api;
  token: string;
  organizationId: number;
  email: string;
  password: string;
  dataDirectory: string;
  logFile: string;
  pid: number;
  /** Stops it cleanly; its data stays. */
  stop(): Promise<void>;
}

export interface PlatformOptions {
  dataDirectory: string;
  env?: NodeJS.ProcessEnv;
  /** The repository whose program runs; default: this one. */
  program?: string;
}

/** Starts `./longshore up` on a free port with an owner and a token that may do everything. */
export async function startPlatform({ dataDirectory, ...options }: PlatformOptions): Promise<Platform> {
  const running = await startProcess({ dataDirectory, ...options });
  try {
    return { ...running, ...(await createOwner(running.url, dataDirectory, options.program)) };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

type PlatformProcess = Pick<Platform, "url" | "dataDirectory" | "logFile" | "pid" | "stop"> & { readyAfterMs: number };

/** Only the process, without an owner, on the given port or a free one; `readyAfterMs` is from its start until it answered. */
export async function startProcess({
  dataDirectory,
  port: given,
  env = {},
  program = repositoryRoot,
}: PlatformOptions & { port?: number }): Promise<PlatformProcess> {
  await mkdir(dataDirectory, { recursive: true });
  const logFile = join(dataDirectory, "platform.log");
  const port = given ?? (await freePort());
  const log = await open(logFile, "a");
  const startedAt = performance.now();
  // A separate process group: Ctrl-C reaches only us, and we stop it when its work is done.
  const child = spawn(launcherOf(program), ["up", "--port", String(port), "--data", dataDirectory], {
    cwd: program,
    env: { ...process.env, LONGSHORE_RATE_LIMIT: "1000000", LONGSHORE_SESSION_RATE_LIMIT: "1000000", ...env },
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
  });
  await log.close();
  const stopIt = (): void => void child.kill();
  process.once("exit", stopIt);
  child.once("exit", () => process.off("exit", stopIt));
  const url = `http://127.0.0.1:${port}`;
  await waitForHealth(url, child, logFile);
  const readyAfterMs = performance.now() - startedAt;
  return { url, dataDirectory, logFile, pid: child.pid as number, readyAfterMs, stop: () => stopProcess(child) };
}

async function waitForHealth(url: string, child: ChildProcess, logFile: string): Promise<void> {
  try {
    await waitFor(
      "the platform to be ready",
      async () => {
        if (child.exitCode !== null || child.signalCode !== null) throw new GiveUp("The platform ended at once.");
        return (await fetch(`${url}/api/v1/health`)).ok;
      },
      { timeoutMs: 120_000, intervalMs: 10 },
    );
  } catch (cause) {
    await stopProcess(child);
    throw new Error(`The platform did not start. Its log ended with:\n${await logTailOf(logFile)}`, { cause });
  }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  if (hasEnded()) return;
  child.kill("SIGTERM");
  await waitFor("the platform to stop", hasEnded, { timeoutMs: 90_000 }).catch((error) => {
    child.kill("SIGKILL");
    throw error;
  });
}

async function createOwner(url: string, dataDirectory: string, program?: string) {
  const email = "alice@example.com";
  const password = randomBytes(12).toString("base64url");
  const person = ["--email", email, "--name", "Alice", "--password", password];
  const membership = ["--organization", "Harbour", "--role", "Owner", "--plan", "business"];
  const user = await admin(dataDirectory, ["user", ...person, ...membership], program);
  const organizationId = user.organization_id as number;
  const rights = ["--permissions", "*", "--organization", String(organizationId)];
  const { token } = await admin(dataDirectory, ["token", "--email", email, "--name", "demo", ...rights], program);
  const client = api({ url, token: token as string });
  return { client, token: token as string, organizationId, email, password };
}

/** Runs `./longshore admin` on the platform's data; resolves with what it printed. */
export async function admin(
  dataDirectory: string,
  args: readonly string[],
  program = repositoryRoot,
): Promise<Record<string, unknown>> {
  const output = await mustRun([launcherOf(program), "admin", ...args, "--json", "--data", dataDirectory]);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
}

/** The last lines of a platform's log that are not routine, for a failure's report. */
export async function logTailOf(logFile: string, lines = 15): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "(there is no log)");
  const telling = text
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith('{"level":"info"'));
  return telling.slice(-lines).join("\n");
}

/** Removes a folder of temporary data; ignores errors. */
export const removeDirectory = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** Registers a sandbox server and authorizes the platform, as a person would: by running the command in the response. */
export async function addServer(
  platform: Pick<Platform, "client">,
  server: SandboxServer,
  more: Partial<CustomServerRequest> = {},
): Promise<number> {
  const body: CustomServerRequest = { name: server.name, server_os: "debian_12", public_ip: server.address, ...more };
  const created = await platform.client("POST /api/v1/servers", { body });
  if (!("connect_command" in created)) throw new Error(`${server.name} has no connect command`);
  const { exitCode, stderr } = await execOn(server.name, ["bash", "-c", created.connect_command]);
  if (exitCode !== 0) throw new Error(`The connect command failed on ${server.name}: ${stderr}`);
  return created.server_id;
}

/** Follows a server's setup to its end, and throws with the steps that failed if it did not succeed. */
export async function setupSuccess(
  client: Api,
  serverId: number,
  onRecord: (record: Setup) => void = () => {},
): Promise<Setup> {
  const record = await waitFor(
    `server ${serverId} to be provisioned`,
    async () => {
      const { data } = await client("GET /api/v1/servers/{id}/setup-steps", { params: { id: serverId } });
      onRecord(data);
      if (["failed", "stalled", "completed_with_failures"].includes(data.state)) throw new GiveUp(failureOf(data));
      return (await readServer(client, serverId)).server_status === 10 && data;
    },
    { timeoutMs: 900_000, intervalMs: 200 },
  );
  return record;
}

/** The whole record of a server: callers that reach no more than a project on it get its name alone. */
export async function readServer(client: Api, id: number): Promise<WholeServer> {
  const { data } = await client("GET /api/v1/servers/{id}", { params: { id } });
  if ("server_status" in data) return data;
  throw new Error(`This token reads only the name of server ${id}`);
}

const failureOf = ({ state, error, attention }: Setup): string =>
  [
    `The setup ended as ${state}${error === null ? "." : `: ${error}`}`,
    ...attention.map((step) => `  ${step.label}: ${step.detail ?? step.status_label}`),
  ].join("\n");

/**
 * A provisioned server, registered with the platform. The first caller with new provisioning code makes the image (once, as long
 * as a real setup), then a server takes seconds.
 */
export async function provisionedServer(
  platform: Pick<Platform, "client">,
  name: string,
  more: Partial<CustomServerRequest> = {},
  options: Pick<UpOptions, "priority"> = {},
): Promise<{ server: SandboxServer; serverId: number }> {
  const server = await upServer({ name, image: await provisionedImage(), ...options });
  // The setup runs again and finds everything done, so its record is real.
  const serverId = await addServer(platform, server, more);
  await setupSuccess(platform.client, serverId);
  return { server, serverId };
}

/** The image of a provisioned server, made if none exists for the present provisioning code. */
export async function provisionedImage(): Promise<string> {
  const image = `provisioned-${await provisioningHash()}`;
  await ensureImage(image, provisionAlone);
  return image;
}

/** Provisions with a temporary platform. */
async function provisionAlone(server: SandboxServer): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "longshore-provision-"));
  const node = await localNode(server);
  try {
    const platform = await startPlatform({ dataDirectory, env: node.env });
    try {
      await setupSuccess(platform.client, await addServer(platform, server));
      // Each platform numbers its own runs: the next one's must not conflict with these.
      await execOn(server.name, ["sh", "-c", "rm -rf /var/lib/longshore/runs/*"]);
    } finally {
      await platform.stop();
    }
  } finally {
    await node.close();
    await removeDirectory(dataDirectory);
  }
}

/** A hash of everything that determines a provisioned server. */
async function provisioningHash(): Promise<string> {
  const found = await readdir(join(repositoryRoot, "src/host"), { recursive: true });
  const host = found.filter((file) => /\.(ts|sh)$/.test(file) && !file.includes("tests/")).sort();
  const files = [...host.map((file) => `src/host/${file}`), "src/features/servers/setup/plans.ts"];
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(await readFile(join(repositoryRoot, file)));
  return hash.digest("hex").slice(0, 12);
}

/** The address under which a sandbox server sees this machine. */
export const bridgeAddress = (server: SandboxServer): string => server.address.replace(/\d+$/, "1");

/**
 * Settings of a platform whose servers get Node from this machine rather than from the internet, and a function that stops it.
 */
export async function localNode(
  server: SandboxServer,
): Promise<{ env: Record<string, string>; close(): Promise<void> }> {
  const mirror = await startNodeMirror({ host: bridgeAddress(server) });
  return { env: { LONGSHORE_NODE_MIRROR: mirror.url }, close: mirror.close };
}

/** A git server that a sandbox server can fetch from. */
export const startGitFor = (server: SandboxServer, root: string): Promise<GitServer> =>
  startGitServer({ host: bridgeAddress(server), root });
