import type { GitSourceType } from "../../host/git/git.ts";
import type { RequestContext } from "../../http/route.ts";
import { findSourceNamed } from "../sources/actions.ts";
import type { ProviderRow } from "../sources/schema.ts";
import { sourceTypes } from "./schema.ts";

/** The repository of a request: its type may be the `source` of a connected account. */
interface Asked {
  repo?: string | undefined;
  type?: string | undefined;
  branch?: string | undefined;
}

/** With the type of the host in place of the account. */
type Typed<Repository> = Omit<Repository, "type"> & { type?: GitSourceType };

export interface SourceChoice<Body> {
  body: Body;
  /** The account that was named; null: none was, so that the organization's first at the host is used. */
  account?: ProviderRow | null;
  /** Of the field `git_repository.type`. */
  error?: string;
}

/** A request with the type of the host in place of a connected account. Without a type, nothing is chosen. */
export async function chosenSource<Repository extends Asked, Others extends object>(
  ctx: RequestContext,
  asked: Others & { git_repository?: Repository | undefined },
): Promise<SourceChoice<Omit<Others, "git_repository"> & { git_repository?: Typed<Repository> }>> {
  type Body = Omit<Others, "git_repository"> & { git_repository?: Typed<Repository> };
  const { git_repository: repository, ...others } = asked;
  if (repository?.type === undefined) return { body: asked as Body };
  if (isSourceType(repository.type)) return { body: asked as Body, account: null };
  const account = await findSourceNamed(ctx, repository.type);
  const { type: _, ...rest } = repository;
  const body = {
    ...others,
    git_repository: { ...rest, ...(account && { type: account.provider_type }) },
  } as unknown as Body;
  return account ? { body, account } : { body, error: "The connected account does not exist." };
}

const isSourceType = (text: string): text is GitSourceType => sourceTypes.some((type) => type === text);
