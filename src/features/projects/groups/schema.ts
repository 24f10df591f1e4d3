import { Type } from "typebox";
import { Page } from "../../../http/pagination.ts";
import {
  Created,
  described,
  Id,
  Joined,
  Name,
  Nullable,
  named,
  OneOf,
  Success,
  Timestamp,
} from "../../../http/schemas.ts";
import { environments } from "../../servers/schema.ts";

/** A row of `project_groups`: one application; the projects in it are its environments. */
export interface GroupRow {
  id: number;
  name: string;
  description: string | null;
  updated_at: string;
}

const ProjectGroup = named(
  "ProjectGroup",
  Type.Object({
    id: Id,
    name: Type.String(),
    description: Nullable(Type.String({ description: "Free text for people" })),
    updated_at: Timestamp,
  }),
  "An application: its projects are its environments",
);

const ListedGroup = named(
  "ListedProjectGroup",
  Joined(
    ProjectGroup,
    Type.Object({
      projects_count: Type.Integer({ description: "Of the projects that you can see" }),
    }),
  ),
);

const GroupedProject = named(
  "GroupedProject",
  Type.Object({
    id: Id,
    name: Type.String(),
    environment: Nullable(OneOf(environments, { description: "Its label; null: none" })),
    server_id: described(Id, "Its own server"),
  }),
  "A project of a group",
);

const Description = Nullable(Type.String({ maxLength: 2_000, description: "Free text for people" }));
const GroupName = described(Name, "The application's name, for people");

export const GroupRequest = named(
  "ProjectGroupRequest",
  Type.Object({ name: GroupName, description: Type.Optional(Description) }),
);
export const GroupUpdate = named(
  "ProjectGroupUpdate",
  Type.Object({ name: Type.Optional(GroupName), description: Type.Optional(Description) }),
);

const GroupWithProjects = named(
  "ProjectGroupWithProjects",
  Joined(
    ProjectGroup,
    Type.Object({ projects: Type.Array(GroupedProject, { description: "Those that you can see" }) }),
  ),
  "A group with its projects",
);

export const GroupPage = named("ProjectGroupPage", Page(ListedGroup));
export const GroupReply = named("ProjectGroupReply", Success({ data: GroupWithProjects }));
export const GroupCreated = Created(ProjectGroup);
/** The API documentation promises "the updated group" but not where: it is both beside `status` and in `data`. */
export const GroupUpdated = named(
  "ProjectGroupUpdated",
  Success({ message: Type.String(), ...ProjectGroup.properties, data: ProjectGroup }),
);
export const GroupDeleted = named(
  "ProjectGroupDeleted",
  Success({
    message: Type.String(),
    ungrouped_projects: Type.Integer({ description: "Projects that were in it, and stay" }),
  }),
);
