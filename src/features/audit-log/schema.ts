import { type Static, Type } from "typebox";
import { Page, PageQuery } from "../../http/pagination.ts";
import { Id, maxId, Nullable, named, Timestamp } from "../../http/schemas.ts";
import { Time } from "../../http/times.ts";

export const AuditLogParams = Type.Object({ id: Id });

export const AuditLogQuery = Type.Object({
  ...PageQuery.properties,
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
});

export type AuditLogFilter = Static<typeof AuditLogQuery>;

export const AuditEntry = named(
  "AuditEntry",
  Type.Object({
    id: Id,
    user_id: Nullable(Type.Integer({ description: "Null when the account is gone" })),
    user_email: Type.String({ description: "As it was then" }),
    token_id: Nullable(Type.Integer({ description: "Null: signed in to the console" })),
    ip: Nullable(Type.String({ description: "Where the request came from; null: not known" })),
    action: Type.String({ description: "Method and path; of passwords set on the command line, the command" }),
    summary: Type.String({ description: "The endpoint's summary, as in this document" }),
    subjects: Type.Array(Type.String(), { description: "The records that it changed, as kind and id: `project:5`" }),
    fields: Type.Array(Type.String(), { description: "The fields that were sent; their values are not kept" }),
    request_id: Type.String({ description: "`X-Request-Id` of the answer" }),
    created_at: Timestamp,
  }),
  "A request that changed something",
);

export const AuditLog = Page(AuditEntry);
