import { join } from "node:path";
import { downServer, type SandboxServer, upServer } from "../sandbox/sandbox.ts";
import type { GitServer } from "../test/git-server.ts";
import type { Session } from "./benchmark.ts";
import { addServer, type Platform, setupSuccess, startGitFor, startPlatform } from "./fixture.ts";

/** A platform, a provisioned server and a git server it can fetch from. */
export interface Stage {
  platform: Platform;
  server: SandboxServer;
  serverId: number;
  git: GitServer;
}

export async function prepareStage(session: Session): Promise<Stage> {
  session.update("starting the platform and a server");
  const platform = await startPlatform({ dataDirectory: join(session.directory, "data") });
  session.cleanUp(platform.stop);
  const server = await bootServer(session, "stage");
  session.update("provisioning the server");
  const serverId = await addServer(platform, server);
  await setupSuccess(platform.client, serverId);
  const git = await startGitFor(server, join(session.directory, "git"));
  session.cleanUp(git.close);
  return { platform, server, serverId, git };
}

/** A fresh server that goes with the session. */
export async function bootServer(session: Session, role: string): Promise<SandboxServer> {
  const name = `bench-${role}-${process.pid}`;
  session.cleanUp(() => downServer(name));
  return upServer({ name });
}
