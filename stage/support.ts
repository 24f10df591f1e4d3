import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { CustomServerRequest, DeploymentReply, ProjectRequest, ProjectUpdate } from "../contract/types.ts";
import type { SandboxServer } from "../sandbox/sandbox.ts";
import { deploy, deploymentEnd, firstDeployment, waitFor } from "./api-client.ts";
import { provisionedServer } from "./fixture.ts";
import type { Files } from "./git-server.ts";
import { visit } from "./projects.ts";
import { attachStage, bashOn, openOwnStage, type Stage } from "./stage.ts";

export type { Stage } from "./stage.ts";

const run = promisify(execFile);

/**
 * Opens a stage. `role` distinguishes the server from those of other test files; `more` are additional fields of its record, such
 * as another database engine. A file of `sharesServer` (test/tiers.ts) may get the stage that the runner opened for several files.
 */
export const openStage = async (
  role: string,
  env: Record<string, string> = {},
  more: Partial<CustomServerRequest> = {},
): Promise<Stage> => (await attachStage(role)) ?? openOwnStage(role, env, more);

/** One of several servers of a stage. */
export interface Place {
  server: SandboxServer;
  id: number;
  bash(script: string): Promise<string>;
}

/** An additional server of a stage, which the caller takes down. */
export async function secondServer({ platform, server: first }: Stage, role: string): Promise<Place> {
  const name = `${first.name}-${role}`;
  const { server, serverId } = await provisionedServer(platform, name);
  return { server, id: serverId, bash: bashOn(name) };
}

export interface Project {
  id: number;
  name: string;
  domain: string;
  /** Its directory on the server. */
  home: string;
}

export interface NewProject {
  name: string;
  files: Files;
  /** 10 (static files) by default. */
  frameworkId?: number;
  branch?: string;
  commands?: Record<string, string>;
  more?: Partial<ProjectRequest>;
}

/** For tests and hooks that set up whole servers or install large applications; the runner allows others less on a slow machine. */
export const lengthy = { timeout: 1_800_000 };

/** Within the runner's limit for one test. */
export const waiting = { timeoutMs: 540_000 };

/** Creates a repository and a project for it; resolves when its installation has succeeded. */
export async function install(
  stage: Pick<Stage, "client" | "serverId" | "git">,
  { name, files, branch = "main", ...more }: NewProject,
): Promise<Project> {
  await stage.git.createRepository(name, { files });
  if (branch !== "main") await stage.git.commit(name, { branch, files: {} });
  const project = await createProject(stage, { name, branch, ...more });
  const ended = await endOf(stage, await firstDeployment(stage.client, project.id, waiting));
  assert.equal(ended.status, 1, `${name} was not installed: ${ended.error}`);
  return project;
}

/** Creates a project for a repository, which queues its installation. */
export async function createProject(
  { client, serverId, git }: Pick<Stage, "client" | "serverId" | "git">,
  { name, frameworkId = 10, branch = "main", commands = {}, more = {} }: Omit<NewProject, "files">,
): Promise<Project> {
  const domain = `${name}.example.test`;
  const { project_id } = await client("POST /api/v1/projects", {
    body: {
      name,
      server_id: serverId,
      domain,
      framework_id: frameworkId,
      git_repository: { type: "git", repo: git.urlOf(name), branch },
      custom_commands: commands,
      ...more,
    },
  });
  const id = Number(project_id);
  return { id, name, domain, home: `/srv/longshore/projects/${id}` };
}

export const endOf = ({ client }: Pick<Stage, "client">, id: number, options = waiting): Promise<DeploymentReply> =>
  deploymentEnd(client, id, options);

/** Deploys and waits for the end, successful or not. */
export const deployToEnd = async (stage: Stage, project: Project, options = waiting): Promise<DeploymentReply> =>
  endOf(stage, await deploy(stage.client, project.id), options);

/**
 * Changes settings that the web server applies, and waits until it has: the request itself waits only for some seconds. Resolves
 * with the request's message.
 */
export async function changeServed(
  stage: Pick<Stage, "client">,
  project: Project,
  body: ProjectUpdate,
): Promise<string> {
  const { message } = await stage.client("PUT /api/v1/projects/{id}", { params: { id: project.id }, body });
  const isApplied = async () => (await syncOf(stage, project)).state === "applied";
  await waitFor("the web server to follow", isApplied, waiting);
  return message;
}

/** Whether the project's server has what its record wants. */
export const syncOf = async ({ client }: Pick<Stage, "client">, { id }: Project) =>
  (await client("GET /api/v1/projects/{id}", { params: { id } })).sync;

/** Runs a command of the project; resolves with what it printed. */
export async function commandOutput({ client }: Stage, { id }: Project, command: string): Promise<string> {
  const { data } = await client("POST /api/v1/projects/{id}/commands", { params: { id }, body: { command } });
  const begun = { params: { id, commandId: data.id } };
  return waitFor(
    "the command to end",
    async () => {
      const { ended_at, log } = (await client("GET /api/v1/projects/{id}/commands/{commandId}", begun)).data;
      return ended_at !== null && log.data.map(({ text }) => text).join("");
    },
    waiting,
  );
}

/** What visitors get. */
export const bodyOf = async ({ server }: Pick<Stage, "server">, { domain }: Project, path = "/"): Promise<string> => {
  const { status, body } = await visit({ address: server.address, host: domain, path });
  return status === 200 ? body : `status ${status}`;
};

/**
 * Everything on the server that a failing deployment must not change: the project's files, the live release, its
 * processes and what starts them, the web server's configuration.
 */
export const stateOf = ({ bash }: Stage, { id, home }: Project): Promise<string> =>
  bash(`
    cd ${home}
    find . -path ./repository.git -prune -o -path ./cache -prune -o -path ./logs -prune -o -path './.npm*' -prune -o \\
      -type f -printf '%p %m %u:%g %s\\n' -o -printf '%p %y %l %m %u:%g\\n' | sort
    git --git-dir=repository.git for-each-ref refs/longshore
    systemctl list-units --no-legend --plain 'longshore-project-${id}@*' | awk '{ print $1, $3, $4 }'
    find /etc/systemd/system /etc/nginx /etc/php -name '*longshore-project-${id}[.@-]*' -printf '%p %l\\n' -type f -exec sha256sum {} + | sort
    ps -u project-${id} -o args= --sort pid || true`);

/**
 * A visitor that sends requests in a loop at a low rate; records every answer other than a 200 with one of the
 * `expected` bodies, except the application's own maintenance page.
 */
export function startVisitor(
  stage: Stage,
  project: Project & { path?: string | undefined; isPaused?: ((status: number, body: string) => boolean) | undefined },
  expected: (body: string) => boolean,
) {
  const wrong: string[] = [];
  let visits = 0;
  let stopped = false;
  const walk = async () => {
    while (!stopped) {
      const { domain: host, path = "/" } = project;
      const { status, body } = await visit({ address: stage.server.address, host, path }).catch((error: unknown) => ({
        status: 0,
        body: String(error),
      }));
      await pause(10);
      visits += 1;
      if (project.isPaused?.(status, body)) continue;
      if (status !== 200 || !expected(body)) wrong.push(`${status}: ${body.slice(0, 200)}`);
    }
  };
  const walking = walk();
  return {
    /** Ends the visits; resolves with their number and the failed ones. */
    async stop(): Promise<{ visits: number; wrong: string[] }> {
      stopped = true;
      await walking;
      return { visits, wrong };
    },
  };
}

/** Git in a repository of the git server, for changes other than commits. */
export const gitIn = async (stage: Stage, name: string, ...args: string[]): Promise<string> =>
  (await run("git", ["-C", join(stage.gitRoot, `${name}.git`), ...args])).stdout.trim();
