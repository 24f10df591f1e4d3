import { type Static, Type } from "typebox";
import { Id, maxId, Nullable, named, OneOf, Success, Switch } from "../../../http/schemas.ts";
import { type MonitorRequestBody, monitorableTypes, monitorTypes } from "../schema.ts";

export const importSources = ["uptime_kuma", "healthchecks"] as const;
export type ImportSource = (typeof importSources)[number];

export const mostItems = 1_000;

const MonitorImportTarget = named(
  "MonitorImportTarget",
  Type.Object({
    item: Type.String({ minLength: 1, maxLength: 200, description: "The `item` of a dry run" }),
    monitorable_type: OneOf(Object.values(monitorableTypes)),
    monitorable_id: Type.Integer({ minimum: 1, maximum: maxId }),
  }),
  "What an item of the source is to watch here",
);

export const ImportRequest = named(
  "MonitorImportRequest",
  Type.Object({
    source: OneOf(importSources),
    data: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "Uptime Kuma: its backup with monitorList. Healthchecks: the answer of GET /api/v3/checks/.",
    }),
    dry_run: Type.Optional(Switch),
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
    type: Nullable(OneOf(monitorTypes)),
    action: OneOf(["create", "skip"], { description: "What was done, or would be done with dry_run" }),
    reason: Nullable(Type.String({ description: "Why it is skipped" })),
    notes: Type.Array(text, {
      description: "Each difference from the source: values that change, and fields that are left out",
    }),
    monitor_id: Nullable(Id),
    monitorable_type: Nullable(text),
    monitorable_id: Nullable(Id),
    config: Type.Unsafe<unknown>({ description: "As of a request to create it; null when it is skipped" }),
  }),
  "A monitor of the source",
);

const MonitorImport = named(
  "MonitorImport",
  Type.Object({
    dry_run: Type.Boolean(),
    created: Type.Integer(),
    skipped: Type.Integer(),
    items: Type.Array(MonitorImportItem),
  }),
);
export const ImportReply = named("MonitorImportReply", Success({ message: text, data: MonitorImport }));
