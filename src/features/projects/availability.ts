import type { Static } from "typebox";
import { domainName } from "../../host/domain.ts";
import type { RequestContext } from "../../http/route.ts";
import { projectNameTaken, whyNotNamed } from "./actions.ts";
import { isNameTaken } from "./queries.ts";
import type { AvailabilityQuery } from "./schema.ts";
import { projectErrors } from "./validation.ts";

/** Whether a new project can have a name and a domain. */
export async function showAvailability(ctx: RequestContext, { name, domain }: Static<typeof AvailabilityQuery>) {
  const [whyNotName, whyNotDomain] = await Promise.all([
    name === undefined ? undefined : nameError(ctx, name),
    whyNotNamed(ctx, domain, 0),
  ]);
  return {
    data: {
      name: name === undefined ? null : answer(name, whyNotName),
      domain: domain === undefined ? null : answer(domainName(domain) ?? domain, whyNotDomain),
    },
  };
}

const answer = (value: string, reason: string | undefined) => ({
  value,
  is_available: reason === undefined,
  reason: reason ?? null,
});

async function nameError(ctx: RequestContext, name: string): Promise<string | undefined> {
  if (name.trim() === "" || [...name].length > longestName) return `The name must have 1 to ${longestName} characters.`;
  const { name: sentence } = projectErrors({ name });
  if (sentence !== undefined) return sentence;
  return (await isNameTaken(ctx.pool, ctx.actor.organizationId, name)) ? projectNameTaken : undefined;
}

const longestName = 100;
