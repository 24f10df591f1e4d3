import type { Static } from "typebox";
import { projectLayout } from "../../host/layout.ts";
import { sh } from "../../host/sh.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError } from "../../lib/errors.ts";
import { getProject } from "./actions.ts";
import type { LogQuery } from "./schema.ts";

const timeoutMs = 15_000;

/** The last lines of a log of the project, as its server has them now. */
export async function showLog(ctx: RequestContext, id: number, query: Static<typeof LogQuery>) {
  const { type = "access", lines = 100 } = query;
  const project = await getProject(ctx, id);
  const host = await ctx.hosts.get(project.server_id).catch((cause: unknown) => unreachable(cause));
  const { exitCode, stdout, stderr } = await host.exec(tailOf(`${projectLayout(id).logs}/${type}.log`, lines), {
    timeoutMs,
  });
  if (exitCode !== 0) throw new AppError("unavailable", `The log could not be read on the server: ${stderr.trim()}`);
  const text = stdout.endsWith("\n") ? stdout.slice(0, -1) : stdout;
  return { data: { type, lines: text === "" ? [] : text.split("\n") } };
}

function unreachable(cause: unknown): never {
  if (cause instanceof AppError) throw cause;
  throw new AppError("unavailable", "The server does not answer, so its logs cannot be read.", { cause });
}

// With the one that was rotated last, so that the log is not empty at midnight. A long line must not fill memory.
const tailOf = (path: string, lines: number) => sh`
  for file in ${path}.1 ${path}; do
    if [ -f "$file" ]; then tail -n ${String(lines)} -- "$file"; fi
  done | tail -n ${String(lines)} | tail -c 500000`;
