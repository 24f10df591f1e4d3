import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import {
  type GitHostType,
  type GitRoots,
  gitHosts,
  parseRepository,
  pathOnHost,
  publicGitRoots,
  type Repository,
} from "../../host/git/git.ts";
import { notFound } from "../../lib/errors.ts";
import type { GitHostApi, HostAccess, HostCredentials } from "../../providers/git/git-host.ts";
import { gitHostApis } from "../../providers/git/git-hosts.ts";
import { findCredentials, type SourceProject } from "./queries.ts";

/** The addresses of the git hosts of this installation. */
export const gitRoots = (config: Config): GitRoots => ({
  git_host_a: config.gitHostAUrl,
  git_host_b: config.gitHostBUrl,
  git_host_c: config.gitHostCUrl,
});

export function apiUrlOf(config: Config, type: GitHostType): string {
  if (type === "git_host_c") return config.gitHostCApiUrl;
  if (type === "git_host_b") return config.gitHostBApiUrl ?? `${config.gitHostBUrl}/api/v4`;
  const isPublic = config.gitHostAUrl === publicGitRoots.git_host_a;
  return config.gitHostAApiUrl ?? (isPublic ? "https://api.github.com" : `${config.gitHostAUrl}/api/v3`);
}

export const labelOf = (type: GitHostType): string => gitHosts[type].label;

/** The data needed to call a connected account's host. */
export interface Connection {
  type: GitHostType;
  api: GitHostApi;
  access: HostAccess;
}

/** The caller has checked that the account is in reach, or is a job. */
export async function connectionOf(
  ctx: Pick<Context, "config" | "secrets">,
  db: Db,
  providerId: number,
  signal?: AbortSignal,
): Promise<Connection> {
  const found = await findCredentials(db, providerId);
  if (!found) throw notFound("The source provider");
  const credentials = JSON.parse(ctx.secrets.decrypt(found.credentials)) as HostCredentials;
  return connectionWith(ctx.config, found.provider_type, credentials, signal);
}

export const connectionWith = (
  config: Config,
  type: GitHostType,
  credentials: HostCredentials,
  signal?: AbortSignal,
): Connection => ({
  type,
  api: gitHostApis[type],
  access: { apiUrl: apiUrlOf(config, type), credentials, signal },
});

type Located = Pick<SourceProject, "repository" | "repository_type">;

/** The repository's fetch address; undefined for an app. */
export const repositoryOf = (config: Config, { repository, repository_type: type }: Located): Repository | undefined =>
  repository && type ? parseRepository(repository, type, gitRoots(config)) : undefined;

/** `owner/name` at the host of its type; undefined if the repository is not there. */
export function pathOf(config: Config, project: Located): string | undefined {
  const url = repositoryOf(config, project)?.url;
  return url && project.repository_type ? pathOnHost(url, project.repository_type, gitRoots(config)) : undefined;
}
