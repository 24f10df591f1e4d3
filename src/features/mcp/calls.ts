import type { FastifyInstance } from "fastify";
import { installationUrl } from "../../config.ts";
import type { Context } from "../../context.ts";
import type { Actor } from "../../http/actor.ts";
import { readable } from "../../http/errors.ts";
import { isRecord } from "../../http/json-schema.ts";
import { type Parser, parserOf } from "../../http/validation.ts";
import { AppError } from "../../lib/errors.ts";
import { Answer, structureOfAnswer, textOfAnswer } from "./answers.ts";
import { apiFor, Refusal, type Sender } from "./api.ts";
import { makeConfirmation, type Purpose, takeConfirmation, validMinutes } from "./confirmations.ts";
import type { Narrowing } from "./connection.ts";
import { operationsOf } from "./operations.ts";
import type { Call, Planned, Tool } from "./tool.ts";

// One call of a tool, from its arguments to its answer. The SDK is not needed for it.

/** Who calls over which connection. */
export interface Connection {
  app: FastifyInstance;
  ctx: Context;
  actor: Actor;
  sender: Sender;
  narrowing: Narrowing;
  operations: ReturnType<typeof operationsOf>;
}

/** What the protocol adds to a call. */
export interface Exchange {
  signal: AbortSignal;
  wantsProgress: boolean;
  progress: Call["progress"];
  /** Whether the client can show a form. */
  hasForms: boolean;
  /** What a form was answered with, and the state that came with it. */
  form: { state: string | undefined; content: Record<string, unknown> | undefined; isDeclined: boolean };
}

/** A form to show, or an answer. */
export type Outcome =
  | { kind: "answer"; text: string; data: Record<string, unknown>; isError: boolean }
  | { kind: "form"; message: string; typed: string | undefined; state: string };

export function connectionFor(
  app: FastifyInstance,
  ctx: Context,
  given: Omit<Connection, "app" | "ctx" | "operations">,
) {
  const operations = operationsOf(app.routes, given.actor, given.narrowing.isReadOnly);
  return { app, ctx, ...given, operations };
}

/** Calls a tool. Refusals are answers; anything else that is thrown is a bug, logged under the id in the answer. */
export async function callTool(
  connection: Connection,
  tool: Tool,
  given: unknown,
  exchange: Exchange,
): Promise<Outcome> {
  const answer = new Answer();
  try {
    const args = argumentsOf(tool, given);
    const call = callOf(connection, tool, answer, exchange);
    const asked = await confirmed(connection, tool, { call, args, exchange });
    if (asked?.kind === "form" || asked?.kind === "planned") return asked.kind === "form" ? asked : finished(answer);
    await tool.run(call, withoutConfirm(args), asked?.id);
  } catch (error) {
    refuse(connection, answer, error);
  }
  return finished(answer);
}

const finished = (answer: Answer): Outcome => ({
  kind: "answer",
  text: textOfAnswer(answer),
  data: structureOfAnswer(answer),
  isError: answer.isError,
});

function callOf(
  { app, ctx, sender, narrowing, operations }: Connection,
  tool: Tool,
  answer: Answer,
  exchange: Exchange,
): Call {
  const allowed = tool.needs.length === 0 ? undefined : [...tool.needs, ...tool.uses];
  const { signal, progress, wantsProgress } = exchange;
  const page = (path: string) => `${installationUrl(ctx.config)}${path}`;
  return { api: apiFor(app, sender, allowed), answer, narrowing, operations, page, progress, wantsProgress, signal };
}

/** Compiled once: it takes longer than most calls. */
const parsers = new WeakMap<Tool, Parser>();

/** Throws 422 with a sentence for each argument that the tool does not have or take. */
function argumentsOf(tool: Tool, given: unknown): Record<string, unknown> {
  const parser = parsers.get(tool) ?? parserOf(tool.input);
  parsers.set(tool, parser);
  const { value, errors, unknown } = parser.parse(structuredClone(given ?? {}));
  const fields = { ...errors, ...unknown?.sentences };
  if (Object.keys(fields).length > 0) throw new AppError("invalid", "The arguments are invalid.", { fields });
  return isRecord(value) ? value : {};
}

const withoutConfirm = ({ confirm: _, ...args }: Record<string, unknown>): Record<string, unknown> => args;

// Confirmations -------------------------------------------------------------------------------------------------------------

interface Asking {
  call: Call;
  args: Record<string, unknown>;
  exchange: Exchange;
}

type Confirmed = { kind: "confirmed"; id: string } | { kind: "planned" } | Extract<Outcome, { kind: "form" }>;

/** Undefined when the call needs no confirmation. */
async function confirmed(connection: Connection, tool: Tool, asking: Asking): Promise<Confirmed | undefined> {
  const { call, args, exchange } = asking;
  const { answer } = call;
  const planned = await tool.plan?.(call, withoutConfirm(args));
  if (!planned) {
    if (args.confirm !== undefined)
      throw new AppError("invalid", "This call needs no confirmation. Leave confirm out.");
    return undefined;
  }
  const purpose = purposeOf(connection, tool, args, planned);
  const given = args.confirm ?? exchange.form.state;
  if (given === undefined) return ask(connection, asking, planned, purpose);
  if (args.confirm === undefined) checkForm(exchange, planned);
  const id = await takeConfirmation(connection.ctx, String(given), purpose);
  // The answer is about what was done.
  answer.lines.length = 0;
  answer.foreign.length = 0;
  answer.data = {};
  return { kind: "confirmed", id };
}

const purposeOf = (
  { actor }: Connection,
  { name }: Tool,
  args: Record<string, unknown>,
  { plan }: Planned,
): Purpose => ({
  tool: name,
  userId: actor.userId,
  tokenId: actor.tokenId,
  organizationId: actor.organizationId,
  args: withoutConfirm(args),
  plan,
});

function ask(connection: Connection, { call, exchange }: Asking, planned: Planned, purpose: Purpose): Confirmed {
  const { answer } = call;
  const token = makeConfirmation(connection.ctx, purpose);
  if (exchange.hasForms) return { kind: "form", message: textOfAnswer(answer), typed: planned.typed, state: token };
  answer.say(
    `Nothing was done. If the person you work for wants exactly this, call again within ${validMinutes} minutes with the same ` +
      `arguments and confirm: ${token}`,
  );
  answer.data = { ...answer.data, ...(planned.plan ? { plan: planned.plan } : {}), confirm: token };
  return { kind: "planned" };
}

/** Throws 422 for a form that was declined, or whose name is another one. */
function checkForm({ form: { content, isDeclined } }: Exchange, { typed }: Planned): void {
  if (isDeclined || content === undefined) throw new AppError("refused", "It was not confirmed. Nothing was done.");
  const isRight = typed === undefined ? content.accept === true : content.name === typed;
  if (!isRight) {
    throw new AppError(
      "refused",
      typed === undefined ? "It was not accepted. Nothing was done." : "The name is another one. Nothing was done.",
    );
  }
}

// Refusals ------------------------------------------------------------------------------------------------------------------

function refuse({ ctx, sender }: Connection, answer: Answer, error: unknown): void {
  answer.isError = true;
  const known = error instanceof Refusal ? error : refusalOf(error);
  if (!known) {
    ctx.log.error({ err: error, userId: sender.caller.userId }, "MCP call failed");
    answer.say("Something went wrong in Longshore, and the log has the details. What was said above is done.");
    return;
  }
  answer.say(`Refused with ${known.status}. ${hintFor(known.status)}`);
  answer.quote("the refusal", sentencesOf(known));
}

function refusalOf(error: unknown): Refusal | undefined {
  const known = readable(error);
  return known && new Refusal(known.status, { message: known.message, errors: known.fields });
}

const sentencesOf = ({ message, fields }: Refusal): string =>
  [message, ...Object.entries(fields).map(([field, sentence]) => `${field}: ${sentence}`)].join("\n");

/** What makes it possible. */
function hintFor(status: number): string {
  if (status === 401)
    return "The token is invalid, expired or revoked: the person who runs this client has to set a new one.";
  if (status === 403)
    return "The token, the role or the connection does not permit it: an owner of the organization can change that.";
  if (status === 404) return "It does not exist, or is out of your reach: find searches by name.";
  if (status === 409) return "The state of the record does not permit it now.";
  if (status === 422) return "Correct what is named below, and call again.";
  if (status === 429) return "Wait before the next call.";
  return "It may help to try again later.";
}
