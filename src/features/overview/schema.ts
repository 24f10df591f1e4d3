import { Type } from "typebox";
import { Id, Nullable, named, OneOf, OneOfIntegers, Timestamp } from "../../http/schemas.ts";
import { processTypes } from "../deployments/schema.ts";
import { projectStates } from "../projects/states/schema.ts";

export const mostRunning = 50;

export const serverStates = ["ready", "installing", "provisioning", "unreachable"] as const;
export const monitorStates = ["up", "down", "pending", "inactive"] as const;

const Counts = <const Names extends readonly string[]>(
  name: string,
  { noun, states, description }: { noun: string; states: Names; description: string },
) =>
  named(
    name,
    Type.Object({
      total: Type.Integer({ description: `All ${noun}` }),
      ...(Object.fromEntries(
        states.map((state) => [state, Type.Integer({ description: `The ${noun} in the state ${state}` })]),
      ) as Record<Names[number], ReturnType<typeof Type.Integer>>),
    }),
    description,
  );

const Named = named(
  "NamedRecord",
  Type.Object({ id: Id, name: Type.String({ description: "Its name" }) }),
  "A record by its id and name",
);

const RunningDeployment = named(
  "RunningDeployment",
  Type.Object({
    id: Id,
    status: OneOfIntegers([0, 3, 4], { description: "0 queued, 3 running, 4 cancelling" }),
    process_type: OneOf(processTypes, { description: "What it does" }),
    description: Type.String({ description: "What began it, in words" }),
    git_branch: Type.String({ description: "The branch that it deploys" }),
    git_tag: Nullable(Type.String({ description: "The tag that it deploys; null: the branch" })),
    commit_id: Nullable(Type.String({ description: "Null before it was fetched" })),
    commit_message: Nullable(Type.String({ description: "The message of the commit" })),
    project: Named,
    server: Named,
    waits_for: Nullable(
      Type.Integer({ description: "How many deployments stand before it on its server; null: it has begun" }),
    ),
    created_at: Timestamp,
    started_at: Nullable(Timestamp),
  }),
  "A deployment that has not ended",
);

export const Overview = named(
  "Overview",
  Type.Object({
    projects: Nullable(
      Counts("ProjectCounts", {
        noun: "projects",
        states: projectStates,
        description:
          "Each project counts once, in the first of these states that it is in; unreachable: its server; failed: its last deployment, or its installation",
      }),
    ),
    servers: Nullable(
      Counts("ServerCounts", { noun: "servers", states: serverStates, description: "Each server counts once" }),
    ),
    monitors: Nullable(
      Counts("MonitorCounts", { noun: "monitors", states: monitorStates, description: "Each monitor counts once" }),
    ),
    deployments: Nullable(
      named(
        "DeploymentOverview",
        Type.Object({
          running: Type.Array(RunningDeployment, { description: `At most ${mostRunning}, the running ones first` }),
          today: Type.Integer({ description: "Requested since midnight, UTC" }),
        }),
        "What is being deployed",
      ),
    ),
  }),
  "The state of everything that the caller reaches",
);
