import { join } from "node:path";
import { downServer, type SandboxServer, upServer } from "../sandbox/sandbox.ts";
import { localNode, type Platform, provisionedServer, startGitFor, startPlatform } from "../stage/fixture.ts";
import type { GitServer } from "../stage/git-server.ts";
import type { Session } from "./benchmark.ts";

/** A platform, a provisioned server and a git server it can fetch from. */
export interface Stage {
  platform: Platform;
  server: SandboxServer;
  serverId: number;
  git: GitServer;
}

export async function prepareStage(session: Session, env: Record<string, string> = {}): Promise<Stage> {
  const platform = await startBenchPlatform(session, env);
  session.update("booting a provisioned server (the first time, provisioning it)");
  const { server, serverId } = await provisionedServer(platform, nameFor(session, "stage"));
  const git = await startGitFor(server, join(session.directory, "git"));
  session.cleanUp(git.close);
  return { platform, server, serverId, git };
}

/** A platform that is removed with the session; `part` names its data if a benchmark starts several. */
export async function startBenchPlatform(
  session: Session,
  env: Record<string, string> = {},
  part = "data",
): Promise<Platform> {
  session.update("starting the platform");
  const platform = await startPlatform({ dataDirectory: join(session.directory, part), env });
  session.cleanUp(platform.stop);
  return platform;
}

/** A platform whose servers get Node from this machine; removed with the session. */
export async function startPlatformFor(session: Session, server: SandboxServer): Promise<Platform> {
  const { env, close } = await localNode(server);
  session.cleanUp(close);
  const platform = await startPlatform({ dataDirectory: dataOf(session), env });
  session.cleanUp(platform.stop);
  return platform;
}

/** A fresh server that is removed with the session. */
export const bootServer = (session: Session, role: string): Promise<SandboxServer> =>
  upServer({ name: nameFor(session, role) });

const dataOf = ({ directory }: Session): string => join(directory, "data");

/** The name of a server, which is removed with the session even if its creation fails. */
function nameFor(session: Session, role: string): string {
  const name = `bench-${role}-${process.pid}`;
  session.cleanUp(() => downServer(name));
  return name;
}
