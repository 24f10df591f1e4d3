import { Type } from "typebox";
import { Id, Nullable, named, OneOf, OneOfIntegers, Timestamp } from "../../http/schemas.ts";
import { processTypes } from "../deployments/schema.ts";
import { projectStates } from "../projects/states/schema.ts";

export const mostRunning = 50;

export const serverStates = ["ready", "installing", "provisioning", "unreachable"] as const;
export const monitorStates = ["up", "down", "pending", "inactive"] as const;

const Counts = <const Names extends readonly string[]>(name: string, states: Names, description: string) =>
  named(
    name,
    Type.Object({
      total: Type.Integer(),
      ...(Object.fromEntries(states.map((state) => [state, Type.Integer()])) as Record<
        Names[number],
        ReturnType<typeof Type.Integer>
      >),
    }),
    description,
  );

const Named = named("NamedRecord", Type.Object({ id: Id, name: Type.String() }));

const RunningDeployment = named(
  "RunningDeployment",
  Type.Object({
    id: Id,
    status: OneOfIntegers([0, 3, 4], { description: "0 queued, 3 running, 4 cancelling" }),
    process_type: OneOf(processTypes),
    description: Type.String(),
    git_branch: Type.String(),
    commit_id: Nullable(Type.String()),
    commit_message: Nullable(Type.String()),
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
      Counts(
        "ProjectCounts",
        projectStates,
        "Each project counts once, in the first of these states that it is in; unreachable: its server; failed: its last deployment, or its installation",
      ),
    ),
    servers: Nullable(Counts("ServerCounts", serverStates, "Each server counts once")),
    monitors: Nullable(Counts("MonitorCounts", monitorStates, "Each monitor counts once")),
    deployments: Nullable(
      named(
        "DeploymentOverview",
        Type.Object({
          running: Type.Array(RunningDeployment, { description: `At most ${mostRunning}, the running ones first` }),
          today: Type.Integer({ description: "Requested since midnight, UTC" }),
        }),
      ),
    ),
  }),
  "The state of everything that the caller reaches",
);
