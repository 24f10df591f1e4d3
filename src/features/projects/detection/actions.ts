import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import { awaitRun, patience } from "../../../engine/await-run.ts";
import { createRun } from "../../../engine/runs.ts";
import { type GitSource, parseRepository } from "../../../host/git/git.ts";
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
  const source = sourceOf(ctx, body.git_repository);
  const runId = await beginReading(ctx, body.server_id, source);
  const { outcome, error, output } = await awaitRun(ctx, runId, { timeoutMs: patience(ctx), signal: ctx.signal });
  if (outcome === undefined) throw new AppError("unavailable", "The server takes too long to read the repository.");
  const { commit, ...files } = filesIn(output);
  if (outcome !== "succeeded") {
    throw new AppError(outcome === "failed" && output.length > 0 ? "refused" : "unavailable", `${error}`);
  }
  const distribution = (await findServerForWork(ctx.pool, body.server_id))?.distribution;
  return { commit, data: detect(files, pathInRelease(body.directory ?? ""), ownPhpVersion(distribution ?? "")) };
}

function sourceOf(
  { config }: RequestContext,
  { repo, type, branch }: Static<typeof DetectionRequest>["git_repository"],
): Pick<GitSource, "url" | "branch"> {
  const url = parseRepository(repo, type, gitRoots(config))?.url ?? "";
  if (/^(https?|git):\/\//.test(url)) return { url, branch };
  throw invalid({
    "git_repository.repo":
      "A repository over SSH needs a key, which comes with the project: choose its framework yourself.",
  });
}

const beginReading = (
  ctx: RequestContext,
  serverId: number,
  source: Pick<GitSource, "url" | "branch">,
): Promise<number> =>
  transaction(ctx.pool, async (tx) => {
    if (!(await lockServerRow(tx, serverId))) throw invalid({ server_id: "The server does not exist." });
    if ((await countDetections(tx, serverId)) >= mostAtOnce) {
      throw new AppError("unavailable", "Other repositories are being read on this server. Try again in a moment.");
    }
    const plan = detectionPlan(source);
    return createRun(tx, ctx.queue, { serverId, ...detectionKind, subjectId: serverId, plan });
  });

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
