import { type Static, Type } from "typebox";
import { Ids, Some, Sort, Text } from "../../../http/lists.ts";
import { PageQuery } from "../../../http/pagination.ts";
import { Id, Nullable, named, OneOf, Reply, Success } from "../../../http/schemas.ts";
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
  project_group_id: Type.Optional(Id),
  environment: Type.Optional(OneOf(environments)),
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

const count = Type.Integer();
const Named = (what: string) => named(what, Type.Object({ id: Id, name: Type.String(), count }));

const ProjectFacets = named(
  "ProjectFacets",
  Type.Object({
    total_items: Type.Integer(),
    states: Type.Array(named("ProjectStateCount", Type.Object({ state: StateName, count }))),
    servers: Type.Array(Named("ProjectServerCount"), {
      description: `At most the ${mostFacets} with the most projects`,
    }),
    project_groups: Type.Array(
      named(
        "ProjectGroupCount",
        Type.Object({
          id: Nullable(Type.Integer({ description: "null: in no group" })),
          name: Nullable(Type.String()),
          count,
        }),
      ),
      { description: `At most the ${mostFacets} with the most projects` },
    ),
    environments: Type.Array(
      named("ProjectEnvironmentCount", Type.Object({ environment: Nullable(OneOf(environments)), count })),
    ),
  }),
  "How many projects there are, by what they can be filtered by",
);
export const ProjectFacetsReply = Reply(ProjectFacets);
export type ProjectFacets = Static<typeof ProjectFacets>;
