import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import { linesOf } from "../../engine/runs/await-run.ts";
import { secretsIn } from "../../host/environment/secret-values.ts";
import { projectLayout } from "../../host/layout.ts";
import { type Script, sh } from "../../host/sh.ts";
import { lastLine } from "../../host/ssh/connection.ts";
import { printNodeLog, printPhpLog } from "../../host/systemd/project-log.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, invalid } from "../../lib/errors.ts";
import { masker } from "../../lib/mask.ts";
import { getProjectOn } from "./actions.ts";
import { isNode } from "./on-server.ts";
import { findEnvironmentMasking } from "./queries.ts";
import type { LogQuery, ProjectRow } from "./schema.ts";

const timeoutMs = 15_000;

/**
 * The last lines of a log of the project, read from the server that the request names, or else from the one that visitors reach
 * or that it runs on. The secrets of its environment are masked in its programs' output.
 */
export async function showLog(ctx: RequestContext, id: number, query: Static<typeof LogQuery>) {
  const { type = "access", lines = 100, server_id: serverId } = query;
  const project = await getProjectOn(ctx, id, serverId);
  const layout = projectLayout(id);
  const log = type === "php" || type === "output" ? printedBy(project, type, lines) : undefined;
  const { exitCode, stdout, stderr } = await askForLog(
    ctx,
    log || serverId !== undefined ? project.placement.server_id : project.site.front_server_id,
    log ?? tailOf(`${layout.logs}/${type}.log`, lines),
  );
  if (exitCode !== 0) throw new AppError("unavailable", `The log could not be read on the server: ${lastLine(stderr)}`);
  const text = log ? masker(await maskedValues(ctx, id))(stdout) : stdout;
  return { data: { type, lines: linesOf([text]).slice(-lines) } };
}

function printedBy(project: ProjectRow, type: "php" | "output", lines: number): Script {
  const layout = projectLayout(project.id);
  if (type === "php") return printPhpLog(layout, lines);
  if (!isNode(project)) throw invalid({ type: "Only Node projects have a process of their own whose output is kept." });
  return printNodeLog(layout, lines);
}

/** The output of a script that reads a log on a server. */
export async function askForLog({ hosts }: Pick<Context, "hosts">, serverId: number, script: Script) {
  const connection = await hosts.get(serverId).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    throw new AppError("unavailable", "The server does not answer, so its logs cannot be read.", { cause });
  });
  return connection.exec(script, { timeoutMs });
}

/** Texts that the project's programs may print and no log shows: the secrets of its environment. */
export async function maskedValues(ctx: Pick<Context, "pool" | "secrets">, projectId: number): Promise<string[]> {
  const { environment_variables: encrypted, environment_masking: choices } =
    (await findEnvironmentMasking(ctx.pool, projectId)) ?? {};
  return encrypted ? secretsIn(ctx.secrets.decrypt(encrypted), choices) : [];
}

// Includes the last rotated file, so that the log is not empty at midnight. Limits bytes first: searching for the beginning of an
// endless line would keep all of it in memory.
export const tailOf = (path: string, lines: number): Script => sh`
  for file in ${path}.1 ${path}; do
    if [ -f "$file" ]; then tail -c 500000 -- "$file"; fi
  done | tail -c 500000 | tail -n ${String(lines)}`;
