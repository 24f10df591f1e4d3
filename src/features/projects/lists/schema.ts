import { type Static, Type } from "typebox";
import { Ids, Some, Sort, Text } from "../../../http/lists.ts";
import { PageQuery } from "../../../http/pagination.ts";
import { described, Id, Nullable, named, OneOf, Reply, Success } from "../../../http/schemas.ts";
import { environments } from "../../servers/schema.ts";
import { projectStates, StateName } from "../states/schema.ts";

/** Ids of one request; those of `GET /projects/ids` fit into an address of 100 KB only in parts. */
const mostIds = 1_000;

const filters = {
  q: Text("name, repository or one of its domains"),
  name: Type.Optional(Type.String({ maxLength: 100, description: "Only those with exactly this name" })),
  ids: Ids("Only these", mostIds),
  state: Some(projectStates, "Only those in one of these states"),
  server_id: Ids("Only those on these servers"),
  project_group_id: Type.Optional(described(Id, "Only the projects of this group")),
  environment: Type.Optional(OneOf(environments, { description: "Only the projects with this label" })),
  framework_id: Ids("Only those with these frameworks"),
  source_type: Some(["git", "app"], "Only those with one of these sources"),
  pinned: Type.Optional(Type.Boolean({ description: "Only those that the calling user pinned, or only the others" })),
};

const orders = ["id", "name", "last_deployed_at", "created_at"] as const;
const sort = Sort(orders, "id");

export const ProjectQuery = Type.Object({
  ...PageQuery.properties,
  ...filters,
  sort,
  view: Type.Optional(OneOf(["full", "summary"], { description: "summary: only the fields of `ProjectSummary`" })),
});
export const ProjectIdsQuery = Type.Object({ ...filters, sort });
export const ProjectFilterQuery = Type.Object(filters);

export type ProjectFilter = Static<typeof ProjectFilterQuery>;
export type Order = NonNullable<Static<typeof sort>>;

export const mostListedIds = 10_000;

export const ProjectIds = named(
  "ProjectIds",
  Success({
    data: Type.Array(Id, { description: `In the order of the list; at most the first ${mostListedIds}` }),
    total_items: Type.Integer({ description: "How many there are" }),
  }),
);

/** Of servers and groups, those with the most projects. */
export const mostFacets = 1_000;

const count = Type.Integer({ description: "How many projects" });
const mostOfThem = `At most the ${mostFacets} with the most projects`;

const StateCount = named("ProjectStateCount", Type.Object({ state: StateName, count }));
const ServerCount = named(
  "ProjectServerCount",
  Type.Object({ id: described(Id, "Of the server"), name: Type.String({ description: "Of the server" }), count }),
);
const GroupCount = named(
  "ProjectGroupCount",
  Type.Object({
    id: Nullable(Type.Integer({ description: "Of the group; null: in none" })),
    name: Nullable(Type.String({ description: "Of the group; null: in none" })),
    count,
  }),
);
const EnvironmentCount = named(
  "ProjectEnvironmentCount",
  Type.Object({ environment: Nullable(OneOf(environments, { description: "The label; null: none" })), count }),
);

const ProjectFacets = named(
  "ProjectFacets",
  Type.Object({
    total_items: Type.Integer({ description: "How many projects match" }),
    states: Type.Array(StateCount, { description: "By state" }),
    servers: Type.Array(ServerCount, { description: `By server. ${mostOfThem}` }),
    project_groups: Type.Array(GroupCount, { description: `By group. ${mostOfThem}` }),
    environments: Type.Array(EnvironmentCount, { description: "By label" }),
  }),
  "How many projects there are, by what they can be filtered by",
);
export const ProjectFacetsReply = Reply(ProjectFacets);
export type ProjectFacets = Static<typeof ProjectFacets>;
