import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import type { LogPiece } from "../../host/systemd/project-log.ts";
import { type RequestContext, StreamAnswer } from "../../http/route.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { watchAccess } from "../accounts/watch.ts";
import { getProjectOn } from "./actions.ts";
import { type LogRead, type LogSource, readLines, serverOf, sourceOf, unitsSource } from "./logs.ts";
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

/** Follows one of the logs of a project. */
export async function followLog(
  ctx: RequestContext,
  id: number,
  { type, ...query }: Static<typeof LiveProjectLogQuery>,
) {
  const project = await getProjectOn(ctx, id, query.server_id);
  return followSource(ctx, id, sourceOf(project, type ?? (isNode(project) ? "output" : "php")), query);
}

/** Follows what units of a project print. */
export const followUnits = (ctx: RequestContext, projectId: number, pattern: string, query: LiveQuery) =>
  followSource(ctx, projectId, unitsSource(pattern), query);

const shownLines = 50;
const everyMs = 1_000;
const newLimits = { lines: 200, bytes: 900_000, width: 4_000 };
const beatMs = 15_000;
/** After this long the client reconnects and resumes. */
const longestMs = 30 * 60_000;
/** Streams of one server in one process, which is also the maximum of short commands per second. */
const streamsOfServer = 8;

/** Streams a log of a project to a client who may read it, as server-sent events. */
async function followSource(
  ctx: RequestContext,
  projectId: number,
  source: LogSource,
  { lines = shownLines, last_event_id: given, server_id: asked, ...filter }: Static<typeof LiveProjectLogQuery>,
): Promise<StreamAnswer> {
  const serverId = serverOf(await getProjectOn(ctx, projectId, asked), source, asked);
  const isAuthorized = await watchAccess(ctx);
  const release = takePlace(ctx, serverId);
  try {
    const resumed = String(ctx.headers["last-event-id"] ?? given ?? "");
    const cursor = source.isPlace(resumed) ? resumed : undefined;
    const followed = { projectId, serverId, asked, source, filter, isAuthorized };
    // Before the response begins, so that an unreachable server is an error of the request.
    const limits = { ...newLimits, ...(cursor === undefined && { lines }) };
    const first = await readLines(ctx, { ...followed, limits, cursor });
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

interface Followed extends Pick<LogRead, "projectId" | "serverId" | "source" | "filter"> {
  /** The server that the request named. */
  asked: number | undefined;
  isAuthorized: () => Promise<boolean>;
}

async function* textsOf(ctx: RequestContext, followed: Followed, first: LogPiece): AsyncGenerator<string> {
  const end = Date.now() + longestMs;
  yield "retry: 3000\n\n";
  let { cursor } = first;
  let sentAt = Date.now();
  for (let piece = first; ; ) {
    cursor = piece.cursor ?? cursor;
    const hasLines = piece.entries.length > 0;
    const isDue = Date.now() - sentAt >= beatMs;
    if (hasLines) yield textOf(piece, cursor);
    else if (isDue) yield ": still here\n\n";
    if (hasLines || isDue) sentAt = Date.now();
    await pause(everyMs, undefined, { signal: ctx.signal }).catch(() => undefined);
    if (ctx.signal.aborted || Date.now() > end) return;
    try {
      piece = await readLines(ctx, { ...followed, limits: newLimits, cursor });
      // Checked after the server's response: nothing must reach a client that has lost its access since.
      if (!(await followed.isAuthorized()) || (await isElsewhere(ctx, followed))) return;
    } catch (error) {
      const message = error instanceof AppError ? messageOf(error) : "The log cannot be read any more.";
      yield `event: unavailable\ndata: ${JSON.stringify({ message })}\n\n`;
      return;
    }
  }
}

const isElsewhere = async (ctx: RequestContext, { projectId, asked, source, serverId }: Followed): Promise<boolean> =>
  serverOf(await getProjectOn(ctx, projectId, asked), source, asked) !== serverId;

function textOf({ entries, leftOut }: LogPiece, cursor: string | undefined): string {
  const id = cursor === undefined ? "" : `id: ${cursor}\n`;
  const shown = entries.map(({ at, text }) => ({ at, text: shortened(text) }));
  const data = { lines: shown.map(({ text }) => text), left_out: leftOut, entries: shown };
  return `${id}event: lines\ndata: ${JSON.stringify(data)}\n\n`;
}

const longestShown = 3_000;

// The server's limit for a line is larger, so a value across the cut here is masked as a whole.
function shortened(line: string): string {
  const bytes = Buffer.from(line);
  return bytes.length <= longestShown ? line : `${bytes.subarray(0, longestShown)}…`;
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
