import { type Static, Type } from "typebox";
import { described, Id, maxId, Nullable, named, OneOf, Success, Switch } from "../../../http/schemas.ts";
import { type MonitorRequestBody, monitorableTypes, monitorTypes } from "../schema.ts";

export const importSources = ["uptime_kuma", "healthchecks"] as const;
export type ImportSource = (typeof importSources)[number];

export const mostItems = 1_000;

const MonitorImportTarget = named(
  "MonitorImportTarget",
  Type.Object({
    item: Type.String({ minLength: 1, maxLength: 200, description: "The `item` of a dry run" }),
    monitorable_type: OneOf(Object.values(monitorableTypes), { description: "What it is to watch" }),
    monitorable_id: Type.Integer({ minimum: 1, maximum: maxId, description: "The id of the project, domain or job" }),
  }),
  "What an item of the source is to watch here",
);

export const ImportRequest = named(
  "MonitorImportRequest",
  Type.Object({
    source: OneOf(importSources, { description: "Where `data` comes from" }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "Uptime Kuma: its backup with monitorList. Healthchecks: the answer of GET /api/v3/checks/.",
    }),
    dry_run: Type.Optional(
      described(Switch, "Whether nothing is created, and the answer shows what would be; default: off"),
    ),
    targets: Type.Optional(
      Type.Array(MonitorImportTarget, {
        maxItems: mostItems,
        description: "The targets of items, where neither their address nor their name identifies one",
      }),
    ),
  }),
);
export type ImportBody = Static<typeof ImportRequest>;

/** A foreign monitor in our terms, before its target is found. */
export interface ForeignMonitor {
  /** What names it in its source; the first that no other has is its `item`. */
  ids: readonly string[];
  name: string;
  wanted: Omit<MonitorRequestBody, "monitorable_type" | "monitorable_id"> | undefined;
  /** Why it cannot be imported; undefined if it can. */
  reason: string | undefined;
  /** The differences here: each value that changes and each field that is left out. */
  notes: string[];
}

const text = Type.String();

const MonitorImportItem = named(
  "MonitorImportItem",
  Type.Object({
    item: Type.String({
      description: "Names it in its source, and no other: its slug or id, or its uuid where a slug repeats",
    }),
    name: text,
    type: Nullable(OneOf(monitorTypes, { description: "null: there is no such type here" })),
    action: OneOf(["create", "skip"], { description: "What was done, or would be done with dry_run" }),
    reason: Nullable(Type.String({ description: "Why it is skipped" })),
    needs_target: Type.Boolean({
      description: "Whether it is skipped because nothing, or more than one job, matches: name its target in `targets`",
    }),
    notes: Type.Array(text, {
      description: "Each difference from the source: values that change, and fields that are left out",
    }),
    monitor_id: Nullable(described(Id, "What was created; null with dry_run and when it is skipped")),
    monitorable_type: Nullable(described(text, "What it watches here; null when that was not found")),
    monitorable_id: Nullable(described(Id, "The id of what it watches here")),
    config: Type.Unsafe<unknown>({ description: "As of a request to create it; null when it is skipped" }),
  }),
  "A monitor of the source",
);

const MonitorImport = named(
  "MonitorImport",
  Type.Object({
    dry_run: Type.Boolean({ description: "As requested: nothing was created" }),
    created: Type.Integer({ description: "How many were created, or would be" }),
    skipped: Type.Integer({ description: "How many were not, each with its reason" }),
    items: Type.Array(MonitorImportItem, { description: "Each monitor of the source" }),
  }),
  "What an import did, or would do",
);
export const ImportReply = named("MonitorImportReply", Success({ message: text, data: MonitorImport }));
