import { type Static, Type } from "typebox";
import { Page, PageQuery } from "../../http/pagination.ts";
import { Id, maxId, Nullable, Timestamp } from "../../http/schemas.ts";

export const AuditLogParams = Type.Object({ id: Id });

const Time = (about: string) =>
  Type.Optional(Type.String({ maxLength: 40, pattern: "^\\d{4}-\\d\\d-\\d\\d", description: `${about}, ISO 8601` }));

export const AuditLogQuery = Type.Object({
  ...PageQuery.properties,
  action: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "As in an entry, such as `POST /api/v1/projects` or `sign-in`",
    }),
  ),
  user_id: Type.Optional(Type.Integer({ minimum: 1, maximum: maxId })),
  subject: Type.Optional(Type.String({ maxLength: 100, description: "Kind and id, such as `project:5`" })),
  from: Time("Not before"),
  to: Time("Before"),
});

export type AuditLogFilter = Static<typeof AuditLogQuery>;

export const AuditEntry = Type.Object({
  id: Id,
  user_id: Nullable(Type.Integer({ description: "Null when the account is gone, or for the command line" })),
  user_email: Type.String({ description: "As it was then; `longshore admin` for the command line" }),
  token_id: Nullable(Type.Integer({ description: "Null: signed in to the console" })),
  ip: Nullable(Type.String()),
  action: Type.String({
    description:
      "Method and path; `sign-in`, `sign-in refused`, `admin user` and so on for what is no request of the API",
  }),
  summary: Type.String(),
  subjects: Type.Array(Type.String(), { description: "What it was done to, as kind and id: `project:5`" }),
  fields: Type.Array(Type.String(), { description: "The fields that were sent; their values are not kept" }),
  request_id: Type.String(),
  created_at: Timestamp,
});

export const AuditLog = Page(AuditEntry);
