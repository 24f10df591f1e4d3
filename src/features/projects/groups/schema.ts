import { Type } from "typebox";
import { Page } from "../../../http/pagination.ts";
import { Id, Name, Nullable, OneOf, Success } from "../../../http/schemas.ts";
import { environments } from "../../servers/schema.ts";

/** A row of `project_groups`: one application; the projects in it are its environments. */
export interface GroupRow {
  id: number;
  name: string;
  description: string | null;
}

const groupFields = {
  id: Id,
  name: Type.String(),
  description: Nullable(Type.String()),
};

const Group = Type.Object(groupFields);

const GroupListItem = Type.Object({
  ...groupFields,
  projects_count: Type.Integer({ description: "Of the projects that you can see" }),
});

const GroupProject = Type.Object({
  id: Id,
  name: Type.String(),
  environment: Nullable(OneOf(environments)),
  server_id: Id,
});

const Description = Nullable(Type.String({ maxLength: 2_000 }));

export const GroupRequest = Type.Object({ name: Name, description: Type.Optional(Description) });
export const GroupUpdate = Type.Object({ name: Type.Optional(Name), description: Type.Optional(Description) });

export const GroupPage = Page(GroupListItem);
export const GroupReply = Success({ data: Type.Object({ ...groupFields, projects: Type.Array(GroupProject) }) });
export const GroupCreated = Success({ message: Type.String(), data: Group });
/** The API documentation promises "the updated group" but not where: it is both beside `status` and in `data`. */
export const GroupUpdated = Success({ message: Type.String(), ...groupFields, data: Group });
export const GroupDeleted = Success({ message: Type.String(), ungrouped_projects: Type.Integer() });
