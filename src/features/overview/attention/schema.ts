import { Type } from "typebox";
import { Some } from "../../../http/lists.ts";
import { Id, Nullable, named, OneOf, Reply, Timestamp } from "../../../http/schemas.ts";
import { kindNames, severities } from "./kinds.ts";

/** Items of one kind, and of all kinds together. */
export const mostOfKind = 50;
export const mostItems = 200;
export const longestSnoozeDays = 90;

export const AttentionQuery = Type.Object({
  kind: Some(kindNames, "Only those of this kind"),
  severity: Some(severities, "Only those of this severity"),
});

const AttentionSubject = named(
  "AttentionSubject",
  Type.Object({
    noun: Type.String({ description: "What it is: `server`, `project`, `deployment`, `monitor`, …" }),
    id: Id,
    name: Type.String({ description: "Of a deployment the name of its project" }),
  }),
  "The record that needs attention",
);

export const AttentionItem = named(
  "AttentionItem",
  Type.Object({
    key: Type.String({ description: "The same for as long as it needs attention: `deployment_failed:12`" }),
    kind: OneOf(kindNames, { description: "What is wrong" }),
    severity: OneOf(severities, {
      description:
        "critical: visitors or data are affected, or it cannot be worked with; warning: it will be, or is not as requested",
    }),
    subject: AttentionSubject,
    server_id: Nullable(Type.Integer()),
    project_id: Nullable(Type.Integer()),
    since: Timestamp,
    message: Type.String({
      description: "What is wrong, in a sentence; a part may come from a server or another service",
    }),
    operation: Nullable(
      Type.String({ description: "The operationId of what mends it; null: nothing that the caller may request does" }),
    ),
    label: Nullable(Type.String({ description: "What a button for the operation shows" })),
    params: Nullable(
      Type.Unsafe<Record<string, number | null>>({
        type: "object",
        additionalProperties: { type: "integer" },
        description: "The path parameters of the operation",
      }),
    ),
  }),
  "Something that needs attention",
);

export const SnoozeParams = Type.Object({
  key: Type.String({
    pattern: `^(${kindNames.join("|")}):[1-9]\\d{0,15}$`,
    maxLength: 100,
    description: "The `key` of an item",
  }),
});

export const SnoozeRequest = named(
  "SnoozeRequest",
  Type.Object({
    until: Nullable(
      Type.String({
        maxLength: 40,
        pattern: "^\\d{4}-\\d\\d-\\d\\d",
        description: `ISO 8601, at most ${longestSnoozeDays} days from now; null: show it again`,
        errorMessage: "The until must be in ISO 8601, such as 2026-03-01T10:00:00Z, or null.",
      }),
    ),
  }),
);

export const Snoozed = Reply(
  named(
    "Snooze",
    Type.Object({ key: Type.String({ description: "The `key` of the item" }), until: Nullable(Timestamp) }),
    "Until when an item is hidden",
  ),
);
