import { scalarOf } from "../../../lib/foreign.ts";
import {
  type Fate,
  type Fields,
  fitted,
  listOf,
  nameOf,
  notesOf,
  numberOf,
  periodOf,
  secondsPerDay,
  textOf,
} from "./fields.ts";
import type { ForeignMonitor } from "./schema.ts";

/** Checks of the answer of Healthchecks' API. */
export const readHealthchecks = (data: Fields): ForeignMonitor[] => listOf(data.checks).map(read);

function read(fields: Fields): ForeignMonitor {
  const notes: string[] = [];
  const name = nameOf(fields.name ?? fields.slug, notes);
  const timeout = numberOf(fields.timeout);
  const grace = numberOf(fields.grace);
  const period = timeout ? periodOf(timeout, notes) : undefined;
  const config = {
    ...(period && { expected_period_seconds: period }),
    ...(grace && {
      grace_seconds: fitted(grace, { what: "grace in seconds", least: 30, most: secondsPerDay }, notes),
    }),
    // A check of theirs is down as soon as it is late.
    confirmation_threshold: 1,
  };
  const wanted = { type: "heartbeat" as const, name, is_active: fields.status !== "paused", config };
  notes.push(...notesOf(fields, fates));
  const ids = [fields.slug, fields.uuid, fields.unique_key, name].flatMap((id) => textOf(id) ?? []);
  return { ids, name, wanted, reason: undefined, notes };
}

const keywords = (): string => "Its keywords and filters are left out: a report counts by its address alone.";
const shown = (value: unknown): string => scalarOf(value).slice(0, 200);

const fates: Record<string, Fate> = {
  name: "taken",
  slug: "taken",
  uuid: "taken",
  unique_key: "taken",
  timeout: "taken",
  grace: "taken",
  status: "taken",
  schedule: (schedule, { tz }) =>
    `The schedule is read from the job itself, not from "${shown(schedule)}"${shown(tz) && ` (${shown(tz)})`}.`,
  // With the schedule.
  tz: "harmless",
  tags: (tags) => `Its tags (${shown(tags)}) are left out.`,
  desc: () => "Its description is left out.",
  channels: () => "Its integrations are left out: the organization's notification channels are used.",
  manual_resume: () => "A report does not switch it on here, nor does it have to be resumed after an outage.",
  methods: (methods) => `Reports by any method count here, not only by ${shown(methods)}.`,
  filter_subject: keywords,
  filter_body: keywords,
  filter_http_body: keywords,
  filter_default_fail: keywords,
  start_kw: keywords,
  success_kw: keywords,
  failure_kw: keywords,
  subject: keywords,
  subject_fail: keywords,
  // What happened there, and addresses there.
  n_pings: "harmless",
  started: "harmless",
  last_ping: "harmless",
  next_ping: "harmless",
  last_duration: "harmless",
  badge_url: "harmless",
  ping_url: "harmless",
  update_url: "harmless",
  pause_url: "harmless",
  resume_url: "harmless",
};
