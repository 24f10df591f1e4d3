import type { Static } from "typebox";
import { bookkeeping } from "../../../db/transaction.ts";
import { awaitRun, patience } from "../../../engine/runs/await-run.ts";
import { createRun } from "../../../engine/runs/runs.ts";
import { type GitSourceType, parseRepository } from "../../../host/git/git.ts";
import { pathInRelease } from "../../../host/layout.ts";
import { ownPhpVersion } from "../../../host/php/php-versions.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { AppError, type FieldErrors, invalid } from "../../../lib/errors.ts";
import { limitConcurrency } from "../../../lib/limit.ts";
import { findServerForWork } from "../../servers/queries.ts";
import { openCommit } from "../../sources/files.ts";
import { gitRoots } from "../../sources/hosts.ts";
import { serverError } from "../actions.ts";
import { lockServerRow } from "../queries.ts";
import { type DetectionRequest, detectionKind } from "../schema.ts";
import { chosenSource } from "../source-choice.ts";
import { projectErrors, sentences } from "../validation.ts";
import { readAtHost } from "./at-host.ts";
import { detect } from "./detect.ts";
import { detectionPlan, filesIn } from "./plans.ts";
import { countDetections } from "./queries.ts";

// Concurrent detections per server: each may fetch for a minute.
const mostAtOnce = 3;

/** Proposes the settings for a repository, from its files: read from its host with a connected account, or by the server. */
export async function detectSettings(ctx: RequestContext, asked: Static<typeof DetectionRequest>) {
  const { body, account, error } = await chosenSource(ctx, asked);
  if (error) throw invalid({ "git_repository.type": error });
  const { server_id: serverId } = asked;
  const repository = body.git_repository as Repository;
  const hosted = await openCommit(ctx, repository, account ?? undefined);
  const { commit, ...files } = hosted
    ? await readingAtHost(() => readAtHost(hosted))
    : await readOnServer(ctx, serverId, repository);
  const distribution = (await findServerForWork(ctx.pool, serverId))?.distribution;
  return { commit, data: detect(files, pathInRelease(asked.directory ?? ""), ownPhpVersion(distribution ?? "")) };
}

interface Repository {
  repo: string;
  type: GitSourceType;
  branch: string;
}

// Each makes some dozen requests to the host.
const readingAtHost = limitConcurrency(4);

async function readOnServer(ctx: RequestContext, serverId: number, repository: Repository) {
  const url = parseRepository(repository.repo, repository.type, gitRoots(ctx.config))?.url ?? "";
  if (!/^(https?|git):\/\//.test(url)) throw invalid({ "git_repository.repo": keyNeeded });
  // Only reads for the caller: a request that is repeated after an interruption reads again.
  const runId = await bookkeeping(ctx.pool, async (tx) => {
    if (!(await lockServerRow(tx, serverId))) throw invalid({ server_id: "The server does not exist." });
    if ((await countDetections(tx, serverId)) >= mostAtOnce) {
      throw new AppError("unavailable", "Other repositories are being read on this server. Try again in a moment.");
    }
    const plan = detectionPlan({ url, branch: repository.branch });
    return createRun(tx, ctx.queue, { serverId, ...detectionKind, subjectId: serverId, plan });
  });
  const { outcome, error, output } = await awaitRun(ctx, runId, { timeoutMs: patience(ctx), signal: ctx.signal });
  if (outcome === undefined) throw new AppError("unavailable", "The server takes too long to read the repository.");
  if (outcome === "succeeded") return filesIn(output);
  throw new AppError(outcome === "failed" && output.length > 0 ? "refused" : "unavailable", `${error}`);
}

const keyNeeded = "A repository over SSH needs a key, which comes with the project: choose its framework yourself.";

/** The errors of a request, beyond the schema. */
export async function checkDetection(
  ctx: RequestContext,
  { body: asked }: { body: Partly<Static<typeof DetectionRequest>> },
): Promise<FieldErrors> {
  const { body, account, error } = await chosenSource(ctx, asked);
  const isAsked = !account;
  const server_id = body.server_id === undefined ? undefined : await serverError(ctx, body.server_id, { isAsked });
  const { "custom_commands.directory": directory, ...errors } = projectErrors({
    git_repository: body.git_repository,
    custom_commands: { directory: body.directory },
  });
  return { ...errors, ...sentences({ server_id, directory, "git_repository.type": error }) };
}
