import { createHash, randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Plan } from "../../http/dry-run.ts";
import { AppError } from "../../lib/errors.ts";
import { objectOf } from "../../lib/foreign.ts";
import { useConfirmation } from "./queries.ts";

// What destroys or bills is done in two steps: the first answers with a plan, and the second shows that this plan was seen. A
// confirmation is sealed with the key of the installation and names who may use it for what.

export const validMinutes = 10;

/** What a confirmation is for: it is worthless for anything else. */
export interface Purpose {
  tool: string;
  userId: number;
  tokenId: number | null;
  organizationId: number;
  /** Of the call, without `confirm`. */
  args: object;
  /** As the API counted it when the confirmation was made; undefined: it counts nothing for this call. */
  plan: Plan | undefined;
}

interface Sealed {
  /** Distinguishes it from other values that are encrypted with the same key. */
  kind: "mcp-confirmation";
  id: string;
  until: number;
  tool: string;
  /** `userId tokenId organizationId` */
  holder: string;
  args: string;
  plan: string;
}

export function makeConfirmation({ secrets }: Pick<Context, "secrets">, purpose: Purpose, now = Date.now()): string {
  const sealed: Sealed = {
    kind: "mcp-confirmation",
    id: randomUUID(),
    until: now + validMinutes * 60_000,
    ...boundOf(purpose),
  };
  return secrets.encrypt(JSON.stringify(sealed)).toString("base64url");
}

/**
 * Uses a confirmation up, before the call is carried out: a process that ends in between has done nothing twice. Returns its id.
 * Throws 422 unless it was made for exactly this and is used for the first time.
 */
export async function takeConfirmation(
  ctx: Pick<Context, "pool" | "secrets">,
  text: string,
  purpose: Purpose,
  now = Date.now(),
): Promise<string> {
  const sealed = opened(ctx, text);
  const bound = boundOf(purpose);
  if (!sealed) throw refused("It is not one of this installation.");
  if (sealed.holder !== bound.holder) throw refused("It was made for another account, token or organization.");
  if (sealed.tool !== bound.tool) throw refused("It was made for another tool.");
  if (sealed.args !== bound.args) throw refused("It was made for other arguments.");
  if (sealed.until <= now) throw refused(`It was made more than ${validMinutes} minutes ago.`);
  if (sealed.plan !== bound.plan) throw refused("What would be lost or billed has changed since it was made.");
  if (!(await useConfirmation(ctx.pool, sealed.id))) throw refused("It was used already.");
  return sealed.id;
}

const refused = (reason: string): AppError =>
  new AppError("invalid", `The confirmation is refused. ${reason} Call again without confirm for a new plan.`);

const boundOf = ({ tool, userId, tokenId, organizationId, args, plan }: Purpose) => ({
  tool,
  holder: `${userId} ${tokenId} ${organizationId}`,
  args: digestOf(args),
  plan: digestOf(plan && withoutSizes(plan)),
});

/** Sizes are measured now and then, which changes nothing in what is lost. */
const withoutSizes = ({ lost, price, needs_build, release }: Plan) => ({
  lost: lost.map(({ noun, count, names }) => ({ noun, count, names })),
  price,
  needs_build,
  release,
});

const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(sorted(value)) ?? "")
    .digest("base64url");

/** The order of keys has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, each]) => [key, sorted(each)]);
}

function opened({ secrets }: Pick<Context, "secrets">, text: string): Sealed | undefined {
  try {
    const value = objectOf(JSON.parse(secrets.decrypt(Buffer.from(text, "base64url"))));
    return value.kind === "mcp-confirmation" ? (value as unknown as Sealed) : undefined;
  } catch {
    return undefined;
  }
}
