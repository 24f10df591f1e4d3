import { join } from "node:path";
import { downServer, type SandboxServer, upServer } from "../sandbox/sandbox.ts";
import type { GitServer } from "../test/git-server.ts";
import type { Session } from "./benchmark.ts";
import { addServer, localNode, type Platform, setupSuccess, startGitFor, startPlatform } from "./fixture.ts";

/** A platform, a provisioned server and a git server it can fetch from. */
export interface Stage {
  platform: Platform;
  server: SandboxServer;
  serverId: number;
  git: GitServer;
}

export async function prepareStage(session: Session): Promise<Stage> {
  session.update("starting a server and the platform");
  const server = await bootServer(session, "stage");
  const platform = await startPlatformFor(session, server);
  session.update("provisioning the server");
  const serverId = await addServer(platform, server);
  await setupSuccess(platform.client, serverId);
  const git = await startGitFor(server, join(session.directory, "git"));
  session.cleanUp(git.close);
  return { platform, server, serverId, git };
}

/** A platform for servers of the sandbox that goes with the session. */
export async function startPlatformFor(session: Session, server: SandboxServer): Promise<Platform> {
  const { env, close } = await localNode(server);
  session.cleanUp(close);
  const platform = await startPlatform({ dataDirectory: join(session.directory, "data"), env });
  session.cleanUp(platform.stop);
  return platform;
}

/** A fresh server that goes with the session. */
export async function bootServer(session: Session, role: string): Promise<SandboxServer> {
  const name = `bench-${role}-${process.pid}`;
  session.cleanUp(() => downServer(name));
  return upServer({ name });
}
