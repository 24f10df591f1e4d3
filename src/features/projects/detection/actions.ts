import type { Static } from "typebox";
import { bookkeeping } from "../../../db/transaction.ts";
import { awaitRun, patience } from "../../../engine/runs/await-run.ts";
import { createRun } from "../../../engine/runs/runs.ts";
import { parseRepository } from "../../../host/git/git.ts";
import { pathInRelease } from "../../../host/layout.ts";
import { ownPhpVersion } from "../../../host/php/php-versions.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { AppError, type FieldErrors, invalid } from "../../../lib/errors.ts";
import { findServerForWork } from "../../servers/queries.ts";
import { gitRoots } from "../../sources/hosts.ts";
import { serverError } from "../actions.ts";
import { lockServerRow } from "../queries.ts";
import { type DetectionRequest, detectionKind } from "../schema.ts";
import { projectErrors, sentences } from "../validation.ts";
import { detect } from "./detect.ts";
import { detectionPlan, filesIn } from "./plans.ts";
import { countDetections } from "./queries.ts";

// Concurrent detections per server: each may fetch for a minute.
const mostAtOnce = 3;

/** Proposes the settings for a repository, from its files, which the server reads. */
export async function detectSettings(ctx: RequestContext, body: Static<typeof DetectionRequest>) {
  const { server_id: serverId, git_repository: repository } = body;
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
  const { commit, ...files } = filesIn(output);
  if (outcome !== "succeeded") {
    throw new AppError(outcome === "failed" && output.length > 0 ? "refused" : "unavailable", `${error}`);
  }
  const distribution = (await findServerForWork(ctx.pool, serverId))?.distribution;
  return { commit, data: detect(files, pathInRelease(body.directory ?? ""), ownPhpVersion(distribution ?? "")) };
}

const keyNeeded = "A repository over SSH needs a key, which comes with the project: choose its framework yourself.";

/** The errors of a request, beyond the schema. */
export async function checkDetection(
  ctx: RequestContext,
  { body }: { body: Partly<Static<typeof DetectionRequest>> },
): Promise<FieldErrors> {
  const server_id = body.server_id === undefined ? undefined : await serverError(ctx, body.server_id);
  const { "custom_commands.directory": directory, ...errors } = projectErrors({
    git_repository: body.git_repository,
    custom_commands: { directory: body.directory },
  });
  return { ...errors, ...sentences({ server_id, directory }) };
}
