import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import { projectLayout } from "../../host/layout.ts";
import { isCursor, type LogPiece, nodeUnits, phpUnits, printNew, readPiece } from "../../host/systemd/project-log.ts";
import { type RequestContext, StreamAnswer } from "../../http/route.ts";
import { AppError, invalid, messageOf } from "../../lib/errors.ts";
import { masker } from "../../lib/mask.ts";
import { watchAccess } from "../accounts/watch.ts";
import { getProjectOn } from "./actions.ts";
import { askForLog, maskedValues } from "./logs.ts";
import { isNode } from "./on-server.ts";
import type { LiveLogQuery, LiveProjectLogQuery } from "./schema.ts";

// A followed log: queries the server's journal for new lines, a second after the last response, over the kept connection and with
// the same bounded commands as for the end of a log. Nothing runs on the server in between, and nothing is stored.

export type LiveQuery = Static<typeof LiveLogQuery>;

/** For the documentation of each route that follows a log. */
export const howLogsStream =
  "Server-sent events: `lines` with new lines, at most a second or two old, after some earlier ones. A comment every 15 seconds " +
  "shows that the stream is alive. `Last-Event-ID` resumes after that event. The stream ends after half an hour, when the " +
  "server does not answer (`unavailable`, with a `message`), when the project is moved, and when the caller may not read the log any more.";

export const followErrors = {
  unavailable: "The server cannot be reached, or the log cannot be read.",
  rate_limited: "Too many requests in this minute, or 8 logs of the server are being followed already.",
};

/** Follows what a project's PHP logs or its Node processes print. */
export async function followLog(
  ctx: RequestContext,
  id: number,
  { type: asked, ...query }: Static<typeof LiveProjectLogQuery>,
) {
  const project = await getProjectOn(ctx, id, query.server_id);
  const type = asked ?? (isNode(project) ? "output" : "php");
  if (type === "output" && !isNode(project)) {
    throw invalid({ type: "Only Node projects have a process of their own whose output is kept." });
  }
  const layout = projectLayout(id);
  return followUnits(ctx, id, type === "php" ? phpUnits(layout) : nodeUnits(layout), query);
}

const shownLines = 50;
const everyMs = 1_000;
const beatMs = 15_000;
/** After this long the client reconnects and resumes. */
const longestMs = 30 * 60_000;
/** Streams of one server in one process, which is also the maximum of short commands per second. */
const streamsOfServer = 8;

/** Streams the output of units of a project to a client who may read it, as server-sent events. */
export async function followUnits(
  ctx: RequestContext,
  projectId: number,
  pattern: string,
  { lines = shownLines, last_event_id: given, server_id: asked }: LiveQuery & { server_id?: number | undefined },
): Promise<StreamAnswer> {
  const { server_id: serverId } = (await getProjectOn(ctx, projectId, asked)).placement;
  const isAuthorized = await watchAccess(ctx);
  const release = takePlace(ctx, serverId);
  try {
    const resumed = String(ctx.headers["last-event-id"] ?? given ?? "");
    const from = isCursor(resumed) ? resumed : undefined;
    const followed = { projectId, serverId, asked, pattern, lines, isAuthorized };
    // Before the response begins, so that an unreachable server is an error of the request.
    const first = await askForNew(ctx, followed, from);
    const stream = Readable.from(textsOf(ctx, followed, first), { objectMode: false });
    // Also for a client that does not read.
    const deadline = setTimeout(() => stream.destroy(), longestMs + 60_000).unref();
    stream.once("close", () => {
      clearTimeout(deadline);
      release();
    });
    return new StreamAnswer("text/event-stream; charset=utf-8", stream);
  } catch (error) {
    release();
    throw error;
  }
}

interface Followed {
  projectId: number;
  serverId: number;
  /** The server that the request named; default: the project's own. */
  asked: number | undefined;
  pattern: string;
  /** How many earlier lines are shown first. */
  lines: number;
  isAuthorized: () => Promise<boolean>;
}

async function* textsOf(ctx: RequestContext, followed: Followed, first: LogPiece): AsyncGenerator<string> {
  const end = Date.now() + longestMs;
  yield "retry: 3000\n\n";
  let { cursor } = first;
  let sentAt = Date.now();
  for (let piece = first; ; ) {
    cursor = piece.cursor ?? cursor;
    if (piece.lines.length > 0) yield textOf(piece, cursor);
    else if (Date.now() - sentAt >= beatMs) yield ": still here\n\n";
    if (piece.lines.length > 0 || Date.now() - sentAt >= beatMs) sentAt = Date.now();
    await pause(everyMs, undefined, { signal: ctx.signal }).catch(() => undefined);
    if (ctx.signal.aborted || Date.now() > end) return;
    try {
      piece = await askForNew(ctx, followed, cursor);
      // Checked after the server's response: nothing must reach a client that has lost its access since.
      if (
        !(await followed.isAuthorized()) ||
        (await getProjectOn(ctx, followed.projectId, followed.asked)).placement.server_id !== followed.serverId
      )
        return;
    } catch (error) {
      const message = error instanceof AppError ? messageOf(error) : "The log cannot be read any more.";
      yield `event: unavailable\ndata: ${JSON.stringify({ message })}\n\n`;
      return;
    }
  }
}

function textOf({ lines, leftOut }: LogPiece, cursor: string | undefined): string {
  const id = cursor === undefined ? "" : `id: ${cursor}\n`;
  return `${id}event: lines\ndata: ${JSON.stringify({ lines, left_out: leftOut })}\n\n`;
}

async function askForNew(ctx: RequestContext, followed: Followed, cursor: string | undefined): Promise<LogPiece> {
  const { projectId, serverId, pattern, lines } = followed;
  const { stdout } = await askForLog(ctx, serverId, printNew(pattern, cursor === undefined ? { lines } : { cursor }));
  const piece = readPiece(stdout);
  if (!piece) throw new AppError("unavailable", "The log could not be read on the server.");
  const mask = masker(await maskedValues(ctx, projectId));
  return { ...piece, lines: shownOf(piece.lines, mask) };
}

const longestShown = 3_000;

// The server's limit for a line is larger, so a value across the cut here is masked as a whole.
function shownOf(lines: readonly string[], mask: (text: string) => string): string[] {
  if (lines.length === 0) return [];
  const bytes = (line: string) => Buffer.from(line);
  return mask(lines.join("\n"))
    .split("\n")
    .map((line) => (bytes(line).length <= longestShown ? line : `${bytes(line).subarray(0, longestShown)}…`));
}

// Places ---------------------------------------------------------------------------------------------------------------------

const taken = new WeakMap<Context["hosts"], Map<number, number>>();

/** Takes one of a server's streams; returns a function that releases it. Throws 429 if all are taken. */
function takePlace({ hosts }: Pick<Context, "hosts">, serverId: number): () => void {
  const ofServers = taken.get(hosts) ?? new Map<number, number>();
  taken.set(hosts, ofServers);
  const open = ofServers.get(serverId) ?? 0;
  if (open >= streamsOfServer) {
    throw new AppError(
      "rate_limited",
      `${open} logs of the server are being followed already. Close some of them first.`,
      {
        headers: { "Retry-After": "15" },
      },
    );
  }
  ofServers.set(serverId, open + 1);
  let isGiven = false;
  return () => {
    if (isGiven) return;
    isGiven = true;
    const now = (ofServers.get(serverId) ?? 1) - 1;
    if (now > 0) ofServers.set(serverId, now);
    else ofServers.delete(serverId);
  };
}
