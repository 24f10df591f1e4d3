import { type Fields, listOf, nameOf, numberOf, textOf, within } from "./fields.ts";
import type { ForeignMonitor } from "./schema.ts";

/** Checks of the answer of Healthchecks' API. */
export const readHealthchecks = (data: Fields): ForeignMonitor[] => listOf(data.checks).map(read);

function read(fields: Fields): ForeignMonitor {
  const name = nameOf(fields.name ?? fields.slug);
  const item = textOf(fields.slug) ?? textOf(fields.unique_key) ?? textOf(fields.uuid) ?? name;
  const timeout = numberOf(fields.timeout);
  const grace = numberOf(fields.grace);
  const schedule = textOf(fields.schedule);
  const config = {
    ...(timeout && { expected_period_seconds: within(timeout, 60, 2_592_000) }),
    ...(grace && { grace_seconds: within(grace, 30, 86_400) }),
    // A check of theirs is down as soon as it is late.
    confirmation_threshold: 1,
  };
  const notes = schedule === undefined ? [] : [`The schedule is read from the job itself, not from "${schedule}".`];
  const wanted = { type: "heartbeat" as const, name, is_active: fields.status !== "paused", config };
  return { item, name, wanted, reason: undefined, notes };
}
