import type { RequestContext } from "../../http/route.ts";
import { AppError, invalid } from "../../lib/errors.ts";
import type { HostEntry } from "../../providers/git/git-host.ts";
import { outOfReach, pathsInReach } from "./confirmation.ts";
import { connectionOf, labelOf, pathOf } from "./hosts.ts";
import { listProviders } from "./queries.ts";
import type { ProviderRow } from "./schema.ts";

// Reads a repository from its host during a request, with a connected account. The credentials stay in this process: a server, on
// which members have root, never gets them.

/** The newest commit of a branch, as its host shows it. */
export interface HostedCommit {
  id: string;
  list(directory: string): Promise<HostEntry[]>;
  /** undefined: it is gone, or too large. */
  read(file: string): Promise<Buffer | undefined>;
}

interface Wanted {
  type: string;
  repo: string;
  branch: string;
}

/** An account with which the actor may read a repository, and its path at the host. */
interface Reading {
  account: ProviderRow;
  path: string;
}

/**
 * With the given account, else with the organization's first at the host of the repository. Undefined: there is none that may be
 * used for this actor; 422 if that was the given one.
 */
async function findReading(ctx: RequestContext, wanted: Wanted, given?: ProviderRow): Promise<Reading | undefined> {
  const type = wanted.type as ProviderRow["provider_type"];
  const account = given ?? (await listProviders(ctx.pool, ctx.actor)).find((each) => each.provider_type === type);
  const path = pathOf(ctx.config, { repository: wanted.repo, repository_type: type });
  if (!account || path === undefined) {
    if (given) throw invalid({ "git_repository.repo": `The repository is not at ${labelOf(given.provider_type)}.` });
    return undefined;
  }
  const paths = await pathsInReach(ctx, ctx.pool, { type });
  if (!paths || paths.has(path)) return { account, path };
  if (given) throw invalid({ "git_repository.repo": outOfReach });
  return undefined;
}

/**
 * The newest commit of a repository's branch, read with an account. Undefined where no account may be used; a host that refuses an
 * account that was not given counts as that, since the repository may be public.
 */
export async function openCommit(
  ctx: RequestContext,
  wanted: Wanted,
  given?: ProviderRow,
): Promise<HostedCommit | undefined> {
  const reading = await findReading(ctx, wanted, given);
  if (!reading) return undefined;
  try {
    return await openAt(ctx, reading, wanted.branch);
  } catch (error) {
    if (!given && error instanceof AppError) return undefined;
    throw error;
  }
}

async function openAt(ctx: RequestContext, { account, path }: Reading, branch: string): Promise<HostedCommit> {
  const { api, access } = await connectionOf(ctx, ctx.pool, account.id, ctx.signal);
  const id = await api.findCommit(access, path, branch);
  if (id === undefined) {
    // Refuses a repository that is not there.
    await api.getRepository(access, path);
    throw new AppError("refused", `The branch ${branch} does not exist in the repository ${path}.`);
  }
  return {
    id,
    list: (place) => api.listDirectory(access, path, { commit: id, place }),
    read: (place) => api.readFile(access, path, { commit: id, place }),
  };
}
