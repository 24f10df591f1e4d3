import { get } from "node:http";
import { execOn, type SandboxServer } from "../sandbox/sandbox.ts";
import { type Api, deploy, deploymentSuccess, firstDeployment, requestRollback } from "./api-client.ts";
import type { Platform } from "./fixture.ts";
import type { GitServer } from "./git-server.ts";
import { filesOfVersion, firstVersion, type SampleKind, sampleDirectory, samples, versionIn } from "./samples.ts";

export interface SampleProject {
  id: number;
  kind: SampleKind;
  name: string;
  domain: string;
  /** Its repository on the git server. */
  repository: string;
  commit: string;
}

export interface ProjectOptions {
  platform: Platform;
  server: SandboxServer;
  serverId: number;
  git: GitServer;
  kind: SampleKind;
  /** Also its repository's name; default: the kind. */
  name?: string;
  /** Its environment variables; default: those with which commands reach registries from the server. */
  environment?: string;
}

/** Makes a repository of a sample and a project from it, at `NAME.localhost`; its first deployment is queued then. */
export async function createProject({
  platform,
  server,
  serverId,
  git,
  kind,
  name = kind,
  environment,
}: ProjectOptions): Promise<SampleProject> {
  const commit = await git.createRepository(name, { fromDirectory: sampleDirectory(kind) });
  const domain = `${name}.localhost`;
  const { frameworkId, sharedDirectories } = samples[kind];
  const { project_id } = await platform.client("POST /api/v1/projects", {
    body: {
      name,
      server_id: serverId,
      domain,
      framework_id: frameworkId,
      git_repository: { type: "git", repo: git.urlOf(name), branch: "main" },
      shared_directories: sharedDirectories,
      environment_variables: environment ?? (await networkEnvironment(server)),
    },
  });
  return { id: Number(project_id), kind, name, domain, repository: name, commit };
}

/** The variables with which a sandbox server reaches registries through this machine's network, such as its proxy's authority. */
async function networkEnvironment({ name }: SandboxServer): Promise<string> {
  const { stdout } = await execOn(name, ["cat", "/etc/environment"]);
  return stdout;
}

const deploymentTimeout = { timeoutMs: 300_000, intervalMs: 20 };

/** The id of the project's primary domain. */
export async function primaryDomain(client: Api, id: number): Promise<number> {
  const { domains } = await client("GET /api/v1/projects/{id}", { params: { id } });
  const primary = domains.find((domain) => domain.is_primary === 1);
  if (primary === undefined) throw new Error(`Project ${id} has no primary domain`);
  return primary.id;
}

/** Waits for the deployment that creating the project queued; resolves with its id. */
export async function installed(client: Api, project: SampleProject): Promise<number> {
  const id = await firstDeployment(client, project.id, deploymentTimeout);
  await deploymentSuccess(client, id, deploymentTimeout);
  return id;
}

/** Commits a version of the sample; resolves with the commit's id. */
export const commitVersion = async (git: GitServer, project: SampleProject, version: string): Promise<string> =>
  git.commit(project.repository, { files: await filesOfVersion(project.kind, version), message: `Version ${version}` });

/** Deploys the branch, and waits for the success; resolves with the deployment's id. */
export async function deployNow(client: Api, project: SampleProject): Promise<number> {
  const id = await deploy(client, project.id);
  await deploymentSuccess(client, id, deploymentTimeout);
  return id;
}

/** Rolls back to an earlier deployment and waits for the success. */
export async function rollBack(client: Api, deploymentId: number): Promise<number> {
  const id = await requestRollback(client, deploymentId);
  await deploymentSuccess(client, id, deploymentTimeout);
  return id;
}

export interface Visit {
  address: string;
  host: string;
  path?: string;
  port?: number;
}

/** The server's response to a visitor of `host`, with any status. */
export function visit({ address, host, path = "/", port = 80 }: Visit): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: address, port, path, headers: { Host: host }, agent: false, timeout: 60_000 };
    const request = get(options, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() }));
    });
    request.on("timeout", () => request.destroy(new Error(`${host} at ${address} did not answer in 60 s`)));
    request.on("error", reject);
  });
}

/** Throws if visitors of the project do not get this version. */
export async function assertServes(address: string, project: SampleProject, version = firstVersion): Promise<void> {
  const { status, body } = await visit({ address, host: project.domain });
  if (status === 200 && versionIn(body) === version) return;
  const got = status === 200 ? `version ${versionIn(body) ?? "(none)"}` : `status ${status}: ${body.slice(0, 300)}`;
  throw new Error(`${project.domain} should serve version ${version} and answers with ${got}`);
}
