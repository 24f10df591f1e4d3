import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CustomServerRequest } from "../contract/types.ts";
import { mustRun } from "../sandbox/command.ts";
import { downServer, enterCommand, type SandboxServer } from "../sandbox/sandbox.ts";
import { type Api, api, waitFor } from "./api-client.ts";
import { type Platform, provisionedServer, removeDirectory, startGitFor, startPlatform } from "./fixture.ts";
import type { GitServer } from "./git-server.ts";

/** A platform, a provisioned server and a git server from which the server fetches. */
export interface Stage {
  platform: Platform;
  client: Api;
  server: SandboxServer;
  serverId: number;
  git: GitServer;
  /** Where the git server keeps its repositories. */
  gitRoot: string;
  directory: string;
  /** Runs bash as root on the server, outside of SSH; resolves with its output. */
  bash(script: string): Promise<string>;
  close(): Promise<void>;
}

/** A stage for the caller alone; the parameters are those of `openStage` in support.ts. */
export async function openOwnStage(
  role: string,
  env: Record<string, string>,
  more: Partial<CustomServerRequest>,
): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), `longshore-${role}-`));
  const name = `t${process.pid}-${role}`;
  const endings: (() => Promise<unknown>)[] = [() => removeDirectory(directory)];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const platform = await startPlatform({ dataDirectory: join(directory, "data"), env });
    // A test may have started it again.
    endings.push(() => platform.stop());
    endings.push(() => downServer(name));
    const { server, serverId } = await provisionedServer(platform, name, more);
    const gitRoot = join(directory, "git");
    const git = await startGitFor(server, gitRoot);
    endings.push(git.close);
    return { platform, client: platform.client, server, serverId, git, gitRoot, directory, bash: bashOn(name), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs bash as root on a sandbox server, outside of SSH. */
export const bashOn = (name: string) => async (script: string) => {
  const enter = await enterCommand(name);
  return (await mustRun([...enter, "bash", "-euo", "pipefail", "-c", script])).trim();
};

// One stage for several test files, which run in turn.

const variable = "LONGSHORE_TEST_STAGE";

interface Shared {
  platform: Omit<Platform, "client" | "stop">;
  server: SandboxServer;
  serverId: number;
}

/** Opens a stage for other processes; those with `env` in their environment attach to it. */
export async function openSharedStage(): Promise<{ env: Record<string, string>; close(): Promise<void> }> {
  const { platform, server, serverId, close } = await openOwnStage("shared", {}, {});
  const { client: _, stop: __, ...running } = platform;
  const shared: Shared = { platform: running, server, serverId };
  return { env: { [variable]: JSON.stringify(shared) }, close };
}

/** The stage that was opened for this process and others, with a git server of its own; undefined when there is none. */
export async function attachStage(role: string): Promise<Stage | undefined> {
  const { [variable]: shared } = process.env;
  if (shared === undefined) return undefined;
  const { platform: running, server, serverId } = JSON.parse(shared) as Shared;
  const client = api({ url: running.url, token: running.token });
  await deleteProjects(client);
  const stop = () => Promise.reject(new Error("Other tests need this platform."));
  const directory = await mkdtemp(join(tmpdir(), `longshore-${role}-`));
  const gitRoot = join(directory, "git");
  const git = await startGitFor(server, gitRoot);
  const close = async () => {
    await git.close();
    await removeDirectory(directory);
  };
  const platform = { ...running, client, stop };
  return { platform, client, server, serverId, git, gitRoot, directory, bash: bashOn(server.name), close };
}

/** Those of the file before, so that this one may use the same names. */
async function deleteProjects(client: Api): Promise<void> {
  const list = async () => (await client("GET /api/v1/projects", { query: { per_page: 100 } })).data;
  for (const { id } of await list()) await client("DELETE /api/v1/project/{id}", { params: { id } });
  await waitFor("the projects to be gone", async () => (await list()).length === 0, { timeoutMs: 120_000 });
}
