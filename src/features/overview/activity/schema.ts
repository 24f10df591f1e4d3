import { type Static, Type } from "typebox";
import { Slice, sliceFields } from "../../../http/lists.ts";
import { Id, Nullable, named, Timestamp } from "../../../http/schemas.ts";
import { entryFilters, SubjectNames } from "../../audit-log/schema.ts";

export const ActivityQuery = Type.Object({ ...sliceFields, ...entryFilters });

export const Activity = named(
  "Activity",
  Type.Object({
    id: Id,
    user_id: Nullable(Type.Integer({ description: "Null when the account is gone" })),
    user_email: Type.String({ description: "As it was then" }),
    action: Type.String({ description: "Method and path" }),
    summary: Type.String(),
    subjects: Type.Array(Type.String(), { description: "The records in reach that it changed: `project:5`" }),
    subject_names: SubjectNames,
    fields: Type.Array(Type.String(), { description: "The fields that were sent" }),
    created_at: Timestamp,
  }),
  "A request that changed something",
);

export const ActivitySlice = Slice(Activity);
export type ActivityFilter = Static<typeof ActivityQuery>;
