import { type Static, Type } from "typebox";
import { CallingProgram } from "../../http/calling-program.ts";
import { Page, PageQuery } from "../../http/pagination.ts";
import { Id, maxId, Nullable, named, Timestamp } from "../../http/schemas.ts";

export const AuditLogParams = Type.Object({ id: Id });

const Time = (about: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: "^\\d{4}-\\d\\d-\\d\\d",
      description: `${about}, ISO 8601`,
      errorMessage: "The time must be in ISO 8601, such as 2026-03-01T10:00:00Z.",
    }),
  );

export const AuditLogQuery = Type.Object({
  ...PageQuery.properties,
  action: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "Method and path as in this document, such as `POST /api/v1/projects`",
    }),
  ),
  user_id: Type.Optional(Type.Integer({ minimum: 1, maximum: maxId })),
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
    ip: Nullable(Type.String()),
    action: Type.String({ description: "Method and path; of passwords set on the command line, the command" }),
    summary: Type.String(),
    subjects: Type.Array(Type.String(), { description: "The records that it changed, as kind and id: `project:5`" }),
    fields: Type.Array(Type.String(), { description: "The fields that were sent; their values are not kept" }),
    request_id: Type.String(),
    client: Nullable(CallingProgram),
    created_at: Timestamp,
  }),
  "A request that changed something",
);

export const AuditLog = Page(AuditEntry);
