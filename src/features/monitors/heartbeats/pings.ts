import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { Ticker } from "../../../engine/schedule/ticker.ts";
import { closeAfterAnswer } from "../../../http/body-stream.ts";
import { withDeadline } from "../../../lib/deadline.ts";
import { AppError, notFound } from "../../../lib/errors.ts";
import { digestOf } from "../../accounts/tokens.ts";
import { type BodyLimits, pingBody, printableText, type ReceivedBody, readBody } from "./body.ts";
import { GroupedWrites } from "./grouped-writes.ts";
import { recordIntake } from "./queries.ts";
import { writePings } from "./reports.ts";
import { type Ping, type PingKind, tokenLength } from "./schema.ts";

// The addresses that jobs report to. They need only the token in the address, so everything is bounded: bodies, their time,
// reports that wait to be stored.

const groups = { waitMs: 10, groupSize: 500, writers: 2, entries: 5_000, bytes: 32 * 1024 * 1024 };
// Fastify checks the declared length of a body before it is read; the rest is limited while it is read.
const countedBytes = 64 * 1024;
const storedWithinMs = 10_000;
/** How often a process records that it receives reports, and the gap after which reports may have been lost. */
const intakeBeatMs = 3_000;
export const intakeGapSeconds = 10;
/** The address for a server's report on all of its background jobs. */
const manyPath = "/ping";
const mostLines = 2_000;
const manyBody: BodyLimits = { keptBytes: 256 * 1024, readBytes: 256 * 1024, deadlineMs: 10_000 };

declare module "fastify" {
  interface FastifyRequest {
    ping: ReceivedBody | undefined;
  }
}

/**
 * Answers `/ping/{token}`, and below it `/start`, `/fail` and `/{exit status}`, with GET, HEAD and POST, also with a slash at the
 * end; and `POST /ping` with
 * the reports of a server's listener. A response of 200 means that the report is stored.
 */
export function mountPings(app: FastifyInstance, ctx: Context): void {
  const writes = new GroupedWrites<Ping>((pings) => writePings(ctx.pool, pings), groups);
  app.register(async (scope) => {
    scope.decorateRequest("ping", undefined);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request, payload, done) => {
      const isOfMany = request.routeOptions.url === manyPath;
      readBody(payload as IncomingMessage, isOfMany ? manyBody : pingBody).then(
        (body) => {
          request.ping = body;
          done(null);
        },
        (error: Error) => done(error),
      );
    });
    const common = { bodyLimit: countedBytes } as const;
    for (const url of ["/ping/:token", "/ping/:token/:result", "/ping/:token/:result/"]) {
      scope.route({
        ...common,
        method: ["GET", "POST"],
        url,
        handler: (request, reply) => receive(writes, request, reply),
      });
    }
    scope.route({
      ...common,
      method: "POST",
      url: manyPath,
      handler: (request, reply) => receiveMany(writes, request, reply),
    });
    scope.addHook("onClose", () => writes.close());
  });
  // Records that reports are received, from before the first one until the end.
  const record = () => recordIntake(ctx.pool, intakeGapSeconds);
  const ticker = new Ticker({
    name: "record-intake-of-reports",
    everyMs: intakeBeatMs,
    log: ctx.log,
    work: record,
  });
  app.addHook("onListen", async () => {
    // A failure is logged by the ticker, which repeats it at once.
    await record().catch(() => undefined);
    ticker.start();
  });
  app.addHook("preClose", () => ticker.stop());
}

// One job ------------------------------------------------------------------------------------------------------------------

async function receive(
  writes: GroupedWrites<Ping>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token = "", result = "" } = request.params as { token?: string; result?: string };
  const outcome = outcomeOf(result);
  if (outcome === undefined || token.length !== tokenLength) throw unknownAddress();
  const { beginning = Buffer.alloc(0), isComplete = true } = request.ping ?? {};
  // `rid` names the run, `duration_ms` is its duration; invalid values are ignored.
  const { rid, duration_ms: duration } = request.query as Record<string, unknown>;
  const ping: Ping = {
    digest: digestOf(token).toString("hex"),
    ...outcome,
    run: typeof rid === "string" && /^[\w-]{1,64}$/.test(rid) ? rid : "",
    durationMs: typeof duration === "string" && /^\d{1,12}$/.test(duration) ? Number(duration) : null,
    body: printableText(beginning),
  };
  // The statement that stores reports checks whether the token exists, so both responses take the same time.
  const isKnown = await withinLimit(writes.add(ping, beginning.length));
  if (!isComplete) closeAfterAnswer(request, reply);
  if (!isKnown) throw unknownAddress();
  return reply.code(200).type("text/plain; charset=utf-8").send("OK\n");
}

const unknownAddress = (): AppError => notFound("This address");

function outcomeOf(result: string): { kind: PingKind; exitStatus: number | null } | undefined {
  if (result === "") return { kind: "success", exitStatus: null };
  if (result === "start" || result === "fail") return { kind: result, exitStatus: null };
  if (!/^\d{1,3}$/.test(result) || Number(result) > 255) return undefined;
  return { kind: Number(result) === 0 ? "success" : "fail", exitStatus: Number(result) };
}

const withinLimit = <Value>(work: Promise<Value>): Promise<Value> =>
  withDeadline(storedWithinMs, work, () => {
    throw new AppError("unavailable", "The report is not stored yet. Send it again in a moment.", {
      headers: { "Retry-After": "5" },
    });
  });

// All background jobs of a server ------------------------------------------------------------------------------------------

/** Lines of `TOKEN success|fail SENTENCE`. Unknown tokens are skipped: a heartbeat may have been deleted a moment ago. */
async function receiveMany(
  writes: GroupedWrites<Ping>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { beginning = Buffer.alloc(0), isComplete = true } = request.ping ?? {};
  const pings = isComplete ? linesOf(beginning) : [];
  if (!isComplete) closeAfterAnswer(request, reply);
  const known = await withinLimit(Promise.all(pings.map((ping) => writes.add(ping, ping.body?.length ?? 0))));
  return reply
    .code(200)
    .type("text/plain; charset=utf-8")
    .send(`${known.filter(Boolean).length}\n`);
}

function linesOf(body: Buffer): Ping[] {
  const lines = (printableText(body) ?? "").split("\n").slice(0, mostLines);
  return lines.flatMap((line) => {
    const [, token, kind, sentence = ""] = /^([0-9A-Za-z]{40}) (success|fail)(?: (.{0,500}))?/.exec(line) ?? [];
    if (token === undefined) return [];
    const common = { exitStatus: null, durationMs: null, run: "", body: sentence || null };
    return [{ digest: digestOf(token).toString("hex"), kind: kind as "success" | "fail", ...common }];
  });
}
