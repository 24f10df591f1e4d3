import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import { secretsIn } from "../../host/environment/secret-values.ts";
import { type ProjectLayout, pathInRelease, projectLayout } from "../../host/layout.ts";
import type { Script } from "../../host/sh.ts";
import { lastLine } from "../../host/ssh/connection.ts";
import {
  isCursor,
  isFilePlace,
  type LogLimits,
  type LogLine,
  type LogStart,
  nodeUnits,
  phpUnits,
  printFile,
  printNewestLog,
  printUnits,
  readPiece,
} from "../../host/systemd/project-log.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, invalid } from "../../lib/errors.ts";
import { masker } from "../../lib/mask.ts";
import { getProjectOn } from "./actions.ts";
import { commandsOf, frameworkOf, isNode } from "./on-server.ts";
import { findEnvironmentMasking } from "./queries.ts";
import type { LogQuery, LogType, PlacedProject, ProjectRow } from "./schema.ts";

const timeoutMs = 15_000;

/** One of the logs of a project. */
export interface LogSource {
  print: (start: LogStart, limits: LogLimits, isSearch: boolean) => Script;
  /** Whether a text is a place in it. */
  isPlace: (text: string) => boolean;
  /** Whether the web server writes it. Of the others, it is the project's programs: what they print is masked before it is searched. */
  isOfWebServer: boolean;
}

/** The log that units print. */
export const unitsSource = (pattern: string): LogSource => ({
  print: (start, limits) => printUnits(pattern, start, limits),
  isPlace: isCursor,
  isOfWebServer: false,
});

export function sourceOf(project: ProjectRow, type: LogType): LogSource {
  const layout = projectLayout(project.id);
  if (type === "php") return unitsSource(phpUnits(layout));
  if (type === "app") return frameworkLog(project, layout);
  if (type !== "output") {
    const path = `${layout.logs}/${type}.log`;
    return { print: (...given) => printFile(path, ...given), isPlace: isFilePlace, isOfWebServer: true };
  }
  if (!isNode(project)) throw invalid({ type: "Only Node projects have a process of their own whose output is kept." });
  return unitsSource(nodeUnits(layout));
}

/** Where frameworks write their own logs: Laravel, and Symfony. */
const frameworkLogs = ["storage/logs", "var/log"];

function frameworkLog(project: ProjectRow, layout: ProjectLayout): LogSource {
  const { directory } = commandsOf(project.custom_commands, frameworkOf(project));
  const root = `${layout.current}/${pathInRelease(directory) ?? "."}`;
  return {
    print: (...given) => printNewestLog(layout, { root, directories: frameworkLogs }, given),
    isPlace: isFilePlace,
    isOfWebServer: false,
  };
}

/** The server that the request names, or else the one that visitors reach or that the project runs on. */
export const serverOf = (project: PlacedProject, source: LogSource, asked: number | undefined): number =>
  source.isOfWebServer && asked === undefined ? project.site.front_server_id : project.placement.server_id;

/** Which lines of a log a request is for. */
export interface LogFilter {
  q?: string | undefined;
  since?: string | undefined;
}

/** Of a log that is masked before it is searched: a search of what is not masked would find secrets. */
const searchedLimits = { lines: 20_000, bytes: 900_000, width: 20_000 };

/** The last lines of a log of the project that fit the filter. */
export async function showLog(ctx: RequestContext, id: number, query: Static<typeof LogQuery>) {
  const { type = "access", lines = 100, server_id: asked, ...filter } = query;
  const project = await getProjectOn(ctx, id, asked);
  const source = sourceOf(project, type);
  const serverId = serverOf(project, source, asked);
  const limits = { lines, bytes: 500_000, width: 500_000 };
  const { entries } = await readLines(ctx, { projectId: id, serverId, source, filter, limits });
  return { data: { type, lines: entries.map(({ text }) => text), entries } };
}

export interface LogRead {
  projectId: number;
  serverId: number;
  source: LogSource;
  filter: LogFilter;
  limits: LogLimits;
  cursor?: string | undefined;
}

/** Lines of a log, from its server: those after the cursor, or the last ones. Secrets of the environment are masked. */
export async function readLines(ctx: Context, { projectId, serverId, source, filter, limits, cursor }: LogRead) {
  const since = timeOf(filter.since);
  const isFirst = cursor === undefined;
  const isSearch = (filter.q ?? "") !== "";
  const read = isFirst && isSearch && !source.isOfWebServer ? searchedLimits : limits;
  const script = source.print(isFirst ? { since } : { cursor }, read, isSearch);
  const { exitCode, stdout, stderr } = await askForLog(
    ctx,
    serverId,
    script,
    source.isOfWebServer ? filter.q : undefined,
  );
  const piece = readPiece(stdout);
  if (exitCode !== 0) throw new AppError("unavailable", `The log could not be read on the server: ${lastLine(stderr)}`);
  if (!piece) throw new AppError("unavailable", "The log could not be read on the server.");
  const shown = source.isOfWebServer ? piece.entries : await maskedEntries(ctx, projectId, piece.entries);
  const entries = shown.filter((line) => contains(line, filter) && (!isFirst || isSince(line, since)));
  return { ...piece, entries: entries.slice(-limits.lines), leftOut: isFirst ? 0 : piece.leftOut };
}

async function maskedEntries(ctx: Context, projectId: number, entries: readonly LogLine[]): Promise<LogLine[]> {
  const mask = masker(await maskedValues(ctx, projectId));
  // A value of several lines is masked line by line.
  const texts = mask(entries.map(({ text }) => text).join("\n")).split("\n");
  return entries.map(({ at }, index) => ({ at, text: texts[index] ?? "" }));
}

const contains = ({ text }: LogLine, { q = "" }: LogFilter): boolean => text.toLowerCase().includes(q.toLowerCase());

const isSince = ({ at }: LogLine, since: number | undefined): boolean =>
  since === undefined || (at !== null && Date.parse(at) >= since);

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The time that `since` names, in milliseconds since 1970: a timestamp, or so long ago. */
function timeOf(since: string | undefined): number | undefined {
  if (since === undefined) return undefined;
  const [, count, unit] = /^(\d+)([smhd])$/.exec(since) ?? [];
  const time = unit ? Date.now() - Number(count) * unitMs[unit as keyof typeof unitMs] : Date.parse(since);
  if (!(time >= 0)) throw invalid({ since: "This is no time: send one like 2026-03-01T10:20:30Z, or 15m, 2h, 7d." });
  return time;
}

/** The output of a script that reads a log on a server. */
export async function askForLog({ hosts }: Pick<Context, "hosts">, serverId: number, script: Script, input = "") {
  const connection = await hosts.get(serverId).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    throw new AppError("unavailable", "The server does not answer, so its logs cannot be read.", { cause });
  });
  return connection.exec(script, { timeoutMs, input });
}

/** Texts that the project's programs may print and no log shows: the secrets of its environment. */
export async function maskedValues(ctx: Pick<Context, "pool" | "secrets">, projectId: number): Promise<string[]> {
  const { environment_variables: encrypted, environment_masking: choices } =
    (await findEnvironmentMasking(ctx.pool, projectId)) ?? {};
  return encrypted ? secretsIn(ctx.secrets.decrypt(encrypted), choices) : [];
}
