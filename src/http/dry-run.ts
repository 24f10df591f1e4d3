import { type Static, Type } from "typebox";
import { Answer } from "./route.ts";
import { described, Nullable, named, Success, success } from "./schemas.ts";

// A request with `dry_run` is checked like any other one and changes nothing. Its answer is the plan: what a client shows before it
// asks a person to confirm.

/** For the query. An empty value does not count as omitted: a script whose variable is empty, or `?dry_run` alone, changes nothing. */
export const dryRun = Type.Optional(
  Type.Unsafe<boolean>({
    type: "boolean",
    minLength: 0,
    description: "Checks the request and answers with `plan`; nothing is changed",
    errorMessage: "dry_run must be 1 or 0.",
    documentedAs: { minLength: undefined },
  }),
);

const Loss = named(
  "Loss",
  Type.Object({
    noun: Type.String({ description: "Such as `project`; the nouns are those of the API" }),
    count: Type.Integer({ minimum: 1, description: "How many of them" }),
    names: Type.Array(Type.String(), { description: "Of the first ten; empty where they have none" }),
    bytes: Nullable(Type.Integer({ description: "Of their content, as last measured" })),
  }),
  "Records that would be deleted with their content",
);
export type Loss = Static<typeof Loss>;

const Price = named(
  "MonthlyPrice",
  Type.Object({
    monthly_price_net: Type.String({ description: "Without VAT" }),
    monthly_price_gross: Type.String({ description: "With VAT" }),
    currency: Type.String({ description: "Such as `EUR`" }),
  }),
  "What something costs in a month",
);

const Release = named(
  "PlannedRelease",
  Type.Object({
    deployment_id: Type.Integer({ description: "The deployment that it is of" }),
    release_id: Nullable(Type.Integer({ description: "null: none was recorded" })),
    git_branch: Type.String({ description: "From which it was built" }),
    git_tag: Nullable(Type.String({ description: "The tag from which it was built; null: the branch" })),
    commit_id: Nullable(Type.String({ description: "Of which it was built" })),
    is_kept: Type.Boolean({ description: "Whether it is still on the project's own server" }),
  }),
  "The release that would become live",
);

export const Plan = named(
  "Plan",
  Type.Object({
    lost: Type.Array(Loss, { description: "What would be deleted, an entry for each kind of record" }),
    price: described(Nullable(Price), "Of what would be ordered; null: nothing is"),
    needs_build: Nullable(
      Type.Boolean({ description: "Whether the project is built; null: nothing would be deployed" }),
    ),
    release: Type.Optional(described(Release, "Of a rollback")),
    warnings: Type.Array(Type.String(), { description: "What a client shows before it asks for a confirmation" }),
  }),
  "What a request would do: what is lost by it, what it costs, and whether it builds",
);
export type Plan = Static<typeof Plan>;

export const planOf = ({
  lost = [],
  price = null,
  needs_build = null,
  release,
  warnings = [],
}: Partial<Plan>): Plan => ({
  lost: lost.filter(({ count }) => count > 0),
  price,
  needs_build,
  ...(release && { release }),
  warnings,
});

/** Of which projects records would be lost: those of a server, or one. */
export type LossScope = { serverId: number } | { projectId: number };

/** The 200 of a route with `dry_run` whose own answer has another status. */
export const Planned = named(
  "Planned",
  Success({ message: Type.String({ description: "The plan in a sentence" }), plan: Plan }),
);

/**
 * The answer to a dry run of such a route. Its type is that of no reply, since the reply of the route describes what happens without
 * `dry_run`.
 */
export const planned = (body: Omit<Static<typeof Planned>, "status">): Answer<never> =>
  new Answer(200, success(body) as never);
