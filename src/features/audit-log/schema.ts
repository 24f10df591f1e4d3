import { type Static, Type } from "typebox";
import { CallingProgram } from "../../http/calling-program.ts";
import { sliceFields, Text } from "../../http/lists.ts";
import { Page, PageQuery } from "../../http/pagination.ts";
import { Id, maxId, Nullable, named, OneOf, Timestamp } from "../../http/schemas.ts";
import { Time } from "../../http/times.ts";

export const AuditLogParams = Type.Object({ id: Id });

/** The filters of lists of entries. */
export const entryFilters = {
  q: Text("action, summary, email or a subject"),
  action: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "Method and path as in this document, such as `POST /api/v1/projects`",
    }),
  ),
  user_id: Type.Optional(Type.Integer({ minimum: 1, maximum: maxId, description: "Only what this account did" })),
  subject: Type.Optional(Type.String({ maxLength: 100, description: "Kind and id, such as `project:5`" })),
  from: Time("Not before"),
  to: Time("Before"),
};

export const AuditLogQuery = Type.Object({
  ...PageQuery.properties,
  before: sliceFields.before,
  ...entryFilters,
  format: Type.Optional(
    OneOf(["json", "csv", "ndjson"], {
      description: "csv or ndjson: a download of all entries that the filters leave, without pages. Default: json",
    }),
  ),
});

export type AuditLogFilter = Static<typeof AuditLogQuery>;
export type EntryFilter = Pick<AuditLogFilter, keyof typeof entryFilters>;

export const SubjectNames = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: { type: "string" },
  description: "What the subjects are called now, by subject; those that are gone are missing",
});

export const AuditEntry = named(
  "AuditEntry",
  Type.Object({
    id: Id,
    user_id: Nullable(Type.Integer({ description: "Null when the account is gone" })),
    user_email: Type.String({ description: "As it was then" }),
    token_id: Nullable(Type.Integer({ description: "Null: signed in to the console" })),
    token_name: Nullable(Type.String({ description: "Null when the token is gone" })),
    ip: Nullable(Type.String({ description: "Where the request came from; null: not known" })),
    action: Type.String({ description: "Method and path; of passwords set on the command line, the command" }),
    summary: Type.String({ description: "The endpoint's summary, as in this document" }),
    subjects: Type.Array(Type.String(), { description: "The records that it changed, as kind and id: `project:5`" }),
    subject_names: SubjectNames,
    fields: Type.Array(Type.String(), { description: "The fields that were sent; their values are not kept" }),
    request_id: Type.String({ description: "`X-Request-Id` of the answer" }),
    client: Nullable(CallingProgram),
    created_at: Timestamp,
  }),
  "A request that changed something",
);

export const AuditLog = named(
  "AuditEntryPage",
  Type.Object({
    ...Page(AuditEntry).properties,
    next_before: Nullable(
      Type.Integer({ description: "What to send as `before` for older ones, without `page`; null: there are none" }),
    ),
  }),
);
