import type { RequestContext } from "../../../http/route.ts";
import { isOn } from "../../../http/schemas.ts";
import { AppError, invalid } from "../../../lib/errors.ts";
import { planLimits } from "../../accounts/schema.ts";
import { createMonitor } from "../actions.ts";
import { findPlan } from "../queries.ts";
import { type MonitorRequestBody, monitorableTypes, targetKinds, targetsOf } from "../schema.ts";
import { newMonitorErrors } from "../validation.ts";
import { itemNames } from "./fields.ts";
import { readHealthchecks } from "./healthchecks.ts";
import { type Candidate, listDomainsNamed, listJobsNamed, listWatched } from "./queries.ts";
import { type ForeignMonitor, type ImportBody, type ImportSource, mostItems } from "./schema.ts";
import { readUptimeKuma } from "./uptime-kuma.ts";

const readers: Record<ImportSource, (data: Record<string, unknown>) => ForeignMonitor[]> = {
  uptime_kuma: readUptimeKuma,
  healthchecks: readHealthchecks,
};

const lists: Record<ImportSource, string> = { uptime_kuma: "monitorList", healthchecks: "checks" };

/** A foreign monitor and its name, which no other item has. */
interface Item extends ForeignMonitor {
  item: string;
}

/** The result of importing a foreign monitor, or of a dry run. */
interface Imported {
  foreign: Item;
  body: MonitorRequestBody | undefined;
  reason: string | undefined;
  needsTarget?: boolean | undefined;
  monitorId: number | null;
}

/** Imports monitors from another program's export, each separately: one that cannot be imported does not block the others. */
export async function importMonitors(ctx: RequestContext, request: ImportBody) {
  const read = readers[request.source](request.data);
  if (read.length === 0)
    throw invalid({ data: `There are no monitors in it: ${lists[request.source]} is missing or empty.` });
  // Before their names are compared.
  if (read.length > mostItems) throw invalid({ data: `There are more than ${mostItems} monitors in it.` });
  const items = itemNames(read.map(({ ids }) => ids));
  const foreign = read.map((each, at): Item => ({ ...each, item: items[at] as string }));
  const isDryRun = request.dry_run !== undefined && isOn(request.dry_run);
  const imported: Imported[] = [];
  const targetOf = await openTargets(ctx, foreign, request.targets ?? []);
  for (const each of foreign) imported.push(await importOne(ctx, { foreign: each, targetOf, isDryRun }));
  const created = imported.filter(({ reason }) => reason === undefined).length;
  return {
    message: isDryRun
      ? `${created} monitors would be created. Nothing was changed.`
      : `${created} monitors were created.`,
    data: { dry_run: isDryRun, created, skipped: imported.length - created, items: imported.map(itemRecord) },
  };
}

function itemRecord({ foreign, body, reason, needsTarget = false, monitorId }: Imported) {
  return {
    item: foreign.item,
    name: foreign.name,
    type: foreign.wanted?.type ?? null,
    action: reason === undefined ? ("create" as const) : ("skip" as const),
    reason: reason ?? null,
    needs_target: needsTarget,
    notes: foreign.notes,
    monitor_id: monitorId,
    monitorable_type: body?.monitorable_type ?? null,
    monitorable_id: body?.monitorable_id ?? null,
    config: reason === undefined ? (body?.config ?? null) : null,
  };
}

interface One {
  foreign: Item;
  targetOf: TargetOf;
  isDryRun: boolean;
}

async function importOne(ctx: RequestContext, { foreign, targetOf, isDryRun }: One): Promise<Imported> {
  const skipped = (reason: string, body?: MonitorRequestBody): Imported => ({ foreign, body, reason, monitorId: null });
  if (foreign.wanted === undefined) return skipped(foreign.reason ?? "It cannot be made here.");
  const target = targetOf(foreign);
  if ("reason" in target) return { ...skipped(target.reason), needsTarget: target.needsTarget };
  const body = { ...foreign.wanted, ...target } as MonitorRequestBody;
  if (body.type === "http") await fitInterval(ctx, body, foreign.notes);
  const errors = await newMonitorErrors(ctx, { body });
  const [error] = Object.values(errors);
  if (error !== undefined) return skipped(error, body);
  if (isDryRun) return { foreign, body, reason: undefined, monitorId: null };
  try {
    const { data } = await createMonitor(ctx, body);
    return { foreign, body, reason: undefined, monitorId: data.id };
  } catch (failure) {
    if (failure instanceof AppError && failure.status < 500) return skipped(failure.message, body);
    throw failure;
  }
}

/** Raises an interval that is too short for the plan to the plan's. */
async function fitInterval(ctx: RequestContext, body: MonitorRequestBody, notes: string[]): Promise<void> {
  const { monitorIntervalSeconds: least } = planLimits[await findPlan(ctx.pool, ctx.actor.organizationId)];
  const interval = body.config?.interval_seconds;
  if (interval === undefined || interval >= least) return;
  body.config = { ...body.config, interval_seconds: least };
  notes.push(`It is checked every ${least} seconds instead of every ${interval}: that is the plan's minimum.`);
}

// Their targets --------------------------------------------------------------------------------------------------------------

interface Missing {
  reason: string;
  /** Whether the request can name it. */
  needsTarget?: boolean;
}

type Target = Pick<MonitorRequestBody, "monitorable_type" | "monitorable_id"> | Missing;
type TargetOf = (foreign: Item) => Target;

/** Finds the target of each item: as in the request, else the domain of the address, or the job of the same name. */
async function openTargets(
  ctx: RequestContext,
  foreign: readonly Item[],
  given: NonNullable<ImportBody["targets"]>,
): Promise<TargetOf> {
  const [domains, jobs, watched] = await Promise.all([
    listDomainsNamed(ctx.pool, ctx.actor, foreign.map(hostOf)),
    listJobsNamed(
      ctx.pool,
      ctx.actor,
      foreign.flatMap(({ name, ids }) => [name, ...ids]),
    ),
    listWatched(ctx.pool, ctx.actor),
  ]);
  const urls = new Set(watched.map(({ url }) => url));
  const jobIds = new Set(watched.map(({ job_id: id }) => id));
  return (monitor) => {
    const url = urlOf(monitor);
    if (url !== undefined && urls.has(url)) return { reason: "A monitor watches this address already." };
    const target = given.find(({ item }) => item === monitor.item) ?? foundTarget(monitor, domains, jobs);
    if ("reason" in target) return target;
    const { monitorable_type, monitorable_id } = target;
    if (monitor.wanted?.type === "heartbeat") {
      if (jobIds.has(monitorable_id)) return { reason: "The job has a heartbeat already." };
      jobIds.add(monitorable_id);
    } else if (url !== undefined) urls.add(url);
    return { monitorable_type, monitorable_id };
  };
}

function foundTarget(monitor: Item, domains: readonly Candidate[], jobs: readonly Candidate[]): Target {
  if (monitor.wanted?.type === "http") {
    const host = hostOf(monitor);
    return theOnly(
      domains.filter(({ name }) => name === host),
      `No project in reach has the domain ${host}. Add the domain to one, or choose what the monitor watches.`,
    );
  }
  const names = [monitor.name, ...monitor.ids].map((name) => name.toLowerCase());
  const accepted = targetsOf.heartbeat;
  return theOnly(
    jobs.filter(({ name, kind }) => names.includes(name) && accepted.includes(kind)),
    `No job in reach is named "${monitor.name}". Give a job this name, or choose what the monitor watches.`,
  );
}

function theOnly(found: readonly Candidate[], missing: string): Target {
  const [candidate, ...others] = found;
  if (candidate === undefined) return { reason: missing, needsTarget: true };
  if (others.length > 0) {
    const reason = `${found.length} jobs have this name. Choose which of them the monitor watches.`;
    return { reason, needsTarget: true };
  }
  const kind = targetKinds.find((each) => each === candidate.kind) ?? "project";
  return { monitorable_type: monitorableTypes[kind], monitorable_id: candidate.id };
}

const urlOf = ({ wanted }: ForeignMonitor): string | undefined => {
  const text = wanted?.config?.url;
  return text === undefined ? undefined : (URL.parse(text)?.href ?? undefined);
};

const hostOf = (monitor: ForeignMonitor): string => URL.parse(urlOf(monitor) ?? "")?.hostname ?? "";
