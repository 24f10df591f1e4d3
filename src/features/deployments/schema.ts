import { Type } from "typebox";
import { stepStatuses } from "../../engine/runs/queries.ts";
import { Ids, Slice, Some, sliceFields, Text } from "../../http/lists.ts";
import { Page } from "../../http/pagination.ts";
import {
  described,
  Id,
  Joined,
  Nullable,
  named,
  OneOf,
  OneOfIntegers,
  Success,
  Timestamp,
} from "../../http/schemas.ts";
import { Time } from "../../http/times.ts";
import type { PlacementRef } from "../placements/schema.ts";
import { sourceTypes } from "../projects/schema.ts";

export const deploymentStatus = {
  queued: 0,
  success: 1,
  failed: 2,
  running: 3,
  cancelling: 4,
  cancelled: 5,
} as const;

export type DeploymentStatus = (typeof deploymentStatus)[keyof typeof deploymentStatus];

/**
 * The statuses that can follow a status. The database enforces them too (guard_deployment_status), and docs/deployments.md has a
 * diagram; a test compares the three.
 */
export const transitions: Record<DeploymentStatus, readonly DeploymentStatus[]> = {
  [deploymentStatus.queued]: [deploymentStatus.running, deploymentStatus.failed, deploymentStatus.cancelled],
  [deploymentStatus.running]: [deploymentStatus.success, deploymentStatus.failed, deploymentStatus.cancelling],
  [deploymentStatus.cancelling]: [
    deploymentStatus.cancelled,
    deploymentStatus.running,
    deploymentStatus.success,
    deploymentStatus.failed,
  ],
  [deploymentStatus.success]: [],
  [deploymentStatus.failed]: [],
  [deploymentStatus.cancelled]: [],
};

/** The statuses that can become `status`: those a compare-and-set starts from. */
export const statusesBefore = (status: DeploymentStatus): DeploymentStatus[] =>
  Object.values(deploymentStatus).filter((from) => transitions[from].includes(status));

/** The status with which a deployment ends, by the outcome of its work. */
export const endStatus = {
  succeeded: deploymentStatus.success,
  failed: deploymentStatus.failed,
  stalled: deploymentStatus.failed,
  cancelled: deploymentStatus.cancelled,
} as const;

export const isEndedStatus = (status: DeploymentStatus): boolean => transitions[status].length === 0;

export const processTypes = ["deployment", "rollback", "recycle", "move"] as const;
export type ProcessType = (typeof processTypes)[number];

/** What begins deployments: a user, a push, or Longshore because a monitor fell. */
export const initiatorTypes = ["user", "push", "monitor"] as const;
export type InitiatorType = (typeof initiatorTypes)[number];

export interface DeploymentRow {
  id: number;
  organization_id: number;
  project_id: number;
  server_id: number;
  run_id: number | null;
  initiated_by: number | null;
  initiator_type: InitiatorType;
  /** The monitor whose fall began it, and its name at that time. */
  monitor_id: number | null;
  monitor_name: string | null;
  process_type: ProcessType;
  git_branch: string;
  /** The tag that was pushed; `git_branch` is then the branch that the project had. */
  git_tag: string | null;
  /** Until the commit was fetched, maybe only the first characters, as they were asked for. */
  commit_id: string | null;
  commit_url: string | null;
  commit_author: string | null;
  commit_message: string | null;
  /** Directory of the release it makes live: its own id, or for a rollback to a kept release the id of an earlier deployment. */
  release_id: number | null;
  /** Whether it replaces the directory that is served, instead of making a release of its own. Null before it begins. */
  in_place: boolean | null;
  /** On a further server: the deployment on the project's own server that it continues. */
  rolling_of: number | null;
  description: string;
  status: DeploymentStatus;
  error: string | null;
  /** Problems of a release that was made live nevertheless. */
  warnings: string[];
  created_at: string;
  updated_at: string;
  started_at: string | null;
  ended_at: string | null;
  /** Whole seconds since it started, until its end; 0 before. */
  duration: number;
}

/** A monitor as the rollback that it began names it. */
export interface MonitorRef {
  id: number;
  name: string;
}

type MonitorColumns = Pick<DeploymentRow, "monitor_id" | "monitor_name">;

export const monitorOf = ({ monitor_id: id, monitor_name: name }: MonitorColumns): MonitorRef | null =>
  id === null || name === null ? null : { id, name };

/** Where a deployment makes a release live. */
export const placementOf = ({
  project_id,
  server_id,
}: Pick<DeploymentRow, "project_id" | "server_id">): PlacementRef => ({
  projectId: project_id,
  serverId: server_id,
});

/** The project with the mode in which the deployment began: a switch to or from in place applies to the next one. */
export const asBegun = <Project extends { zero_downtime: boolean }>(
  { in_place: inPlace }: DeploymentRow,
  project: Project,
): Project => ({ ...project, zero_downtime: !inPlace });

/** What a deployment has to do with other records. */
export interface Relations {
  project: { id: number; name: string };
  /** Without a name if the actor may not see it. */
  server: { id: number; name: string | null };
  initiator: { type: InitiatorType; id: number | null; name: string | null };
  is_live: boolean;
  /** Of the newest success before it. */
  base_commit_url: string | null;
}

/** The visible fields. */
export type ShownDeployment = Omit<
  DeploymentRow,
  "run_id" | "release_id" | "in_place" | "initiator_type" | keyof MonitorColumns
> &
  Relations;

/** Why a deployment does not begin yet. */
export const waitReasons = ["project", "move", "deploy_key", "server", "turn"] as const;
export type WaitReason = (typeof waitReasons)[number];

const ProposedSettings = named(
  "ProposedSettings",
  Type.Object(
    {
      shared_directories: Type.Optional(Type.Array(Type.String(), { description: "For the project's setting" })),
      shared_files: Type.Optional(Type.Array(Type.String(), { description: "For the project's setting" })),
    },
    {
      description:
        "For a deployment that would have lost files which the application has written: the settings to send to " +
        "`PUT /api/v1/projects/:id`, with which the next deployment takes them along",
    },
  ),
);

const Initiator = Type.Object(
  {
    type: OneOf(initiatorTypes, { description: "monitor: an automatic rollback" }),
    id: Nullable(
      Type.Integer({
        description: "The user or the monitor, which may be gone by now; null: a push, or an account that is gone",
      }),
    ),
    name: Nullable(
      Type.String({ description: "The name of the user, or of the monitor as it was then, or the author of a push" }),
    ),
  },
  { description: "Who or what requested it" },
);

const Waiting = named(
  "DeploymentWaiting",
  Type.Object({
    reason: OneOf(waitReasons, {
      description:
        "project: another deployment of the project; move: the project is moved; deploy_key: the git host does not have the " +
        "server's key; server: its `queue_limit`; turn: nothing, it begins in a moment",
    }),
    position: Type.Integer({ description: "Its place in the queue of its server, from 1" }),
    message: Type.String({ description: "The reason in a sentence" }),
  }),
  "Why a queued deployment does not begin yet; null: it has begun",
);

const GitTag = Nullable(Type.String());

const Deployment = named(
  "Deployment",
  Type.Object({
    id: Id,
    tenant_id: described(Id, "The organization's id"),
    project_id: described(Id, "What is deployed"),
    server_id: described(Id, "Where it is deployed"),
    initiated_by: Nullable(
      Type.Integer({ description: "The id of the account; null: a push, Longshore, or a deleted account" }),
    ),
    git_branch: Type.String({ description: "The branch that was deployed; of a tag, the branch that the project had" }),
    git_tag: described(GitTag, "The tag that was deployed; null: a branch"),
    commit_id: Nullable(Type.String({ description: "The commit, in 40 digits; null until it is known" })),
    commit_url: Nullable(Type.String({ description: "The commit at its git host; null: not known" })),
    commit_author: Nullable(
      Type.String({ description: "From the push, or found on the server; null until it is known" }),
    ),
    commit_message: Nullable(
      Type.String({ description: "Its first line; at most 200 characters, unless the deployment is for a push" }),
    ),
    description: Type.String({ description: "What it came from, such as a push or an account" }),
    rolling_of: Nullable(
      Type.Integer({
        description: "Behind a load balancer: the deployment that this one continues on a further server",
      }),
    ),
    status: OneOfIntegers([0, 1, 2, 3, 4, 5], {
      description: "0 queued, 1 success, 2 failed, 3 running, 4 cancelling, 5 cancelled",
    }),
    process_type: OneOf(processTypes, { description: "recycle: the process was restarted; move: to another server" }),
    error: Nullable(Type.String({ description: "Why it failed, in a sentence" })),
    warnings: Type.Array(Type.String(), {
      description: "A warning about a release that is live nevertheless, such as 404 for `/`",
    }),
    proposed_settings: Nullable(ProposedSettings),
    duration: Type.Integer({ description: "Whole seconds from start to end; 0 while queued" }),
    created_at: Timestamp,
    updated_at: Timestamp,
    started_at: Nullable(Timestamp),
    ended_at: Nullable(Timestamp),
    project: Type.Object({ id: Id, name: Type.String() }, { description: "What is deployed" }),
    server: Type.Object(
      {
        id: Id,
        name: Nullable(Type.String({ description: "null: the membership does not reach the server" })),
      },
      { description: "Where it is deployed" },
    ),
    initiator: Initiator,
    is_live: Type.Boolean({ description: "Whether it is the one that made live what its server serves" }),
    waiting_for: Nullable(Waiting),
    compare_url: Nullable(
      Type.String({
        description:
          "The page of the git host with the changes since the success before it; null: the commit is the same or unknown, or " +
          "there is no such page",
      }),
    ),
  }),
  "An attempt to put a release live",
);

export const DeploymentPage = Page(Deployment);
export const DeploymentSlice = Slice(Deployment);

export const statusNames = Object.keys(deploymentStatus) as (keyof typeof deploymentStatus)[];

export const DeploymentQuery = Type.Object({
  ...sliceFields,
  project_id: Ids("Of these projects"),
  server_id: Ids("On these servers"),
  status: Some(statusNames, "With one of these statuses"),
  process_type: Some(processTypes, "Of these kinds"),
  initiator: Type.Optional(
    Type.Array(
      Type.String({
        pattern: "^(push|monitor|[1-9][0-9]{0,14})$",
        errorMessage: "The initiator must be the id of a user, push or monitor.",
      }),
      {
        maxItems: 100,
        description: "By these users (ids), by a `push`, or because of a `monitor`; several between commas",
      },
    ),
  ),
  q: Text("commit message, commit id, branch, author or description"),
  from: Time("Requested not before"),
  to: Time("Requested before"),
});

const Lines = Type.Array(Type.String());

const ofLongLogs =
  "of more than 1 MiB only the beginning and the end, with a line between that states how much is left out";

const DeploymentOutput = named(
  "DeploymentOutput",
  Type.Object({
    process_type: OneOf(processTypes, { description: "As of the deployment" }),
    client_payload: { ...Lines, description: `Output of the user's own commands; ${ofLongLogs}` },
    system_payload: { ...Lines, description: `Output of the platform's steps; ${ofLongLogs}` },
  }),
  "What the deployment printed",
);

const DeploymentStep = named(
  "DeploymentStep",
  Type.Object({
    key: Type.String({ description: "Names the step, and stays the same in further versions" }),
    label: Type.String({ description: "For display" }),
    phase: Type.String({ description: "Steps of a phase follow each other" }),
    status: OneOf(stepStatuses, { description: "skipped: it was not needed, or not reached" }),
    started_at: Nullable(Timestamp),
    finished_at: Nullable(Timestamp),
    duration_ms: Nullable(Type.Integer({ description: "null before it has begun" })),
    detail: Nullable(Type.String({ description: "Why it failed, or what it found" })),
    first_line: Nullable(
      Type.Integer({ description: "Where the log has its output, from 1; null: it has printed nothing" }),
    ),
    lines: Type.Integer({ description: "How many lines it has printed" }),
  }),
  "A step of a deployment",
);

export const DeploymentReply = named(
  "DeploymentReply",
  Joined(
    Deployment,
    Type.Object({ output: DeploymentOutput, steps: Type.Array(DeploymentStep, { description: "In their order" }) }),
  ),
  "A deployment with its steps and its output",
);

export const HookParams = Type.Object({
  source: OneOf(sourceTypes, { description: "The project's `git_repository.type`" }),
  token: Type.String({ minLength: 1, maxLength: 100, description: "From `webhook.url` of the project's source" }),
});

export const DeliveryTaken = named(
  "HookAnswer",
  Success({
    message: Type.String({ description: "The result" }),
    deployment_id: Nullable(Type.Integer({ description: "null: nothing was queued" })),
  }),
);

export const DeploymentRequest = named(
  "DeploymentRequest",
  Type.Object({
    project_ids: Type.Array(Id, {
      minItems: 1,
      maxItems: 1_000,
      title: "list of projects",
      description: "1 to 1,000 ids; one that is repeated counts once",
    }),
    branch: Type.Optional(
      Type.String({ maxLength: 240, title: "branch", description: "Default: the project's `repository_branch`" }),
    ),
    commit_id: Type.Optional(
      Type.String({
        pattern: "^[0-9a-fA-F]{4,64}$",
        description:
          "Default: the newest commit of the branch. Complete, or its first characters: then it is searched among the commits of " +
          "all branches",
        errorMessage:
          "The commit id must be hexadecimal: the whole id of a commit, or at least its first 4 characters.",
      }),
    ),
    idempotent_per_commit: Type.Optional(
      Type.Boolean({
        description:
          "With `commit_id`: a project whose deployment of the commit is queued, running or successful gets no other one. Default: " +
          "false",
      }),
    ),
  }),
);

export const DeploymentsAccepted = named(
  "DeploymentsAccepted",
  Success({ message: Type.String(), deployment_ids: Type.Array(Id, { description: "In the order of the projects" }) }),
);
const newDeployment = described(Id, "The queued deployment");
export const DeploymentAccepted = named(
  "DeploymentAccepted",
  Success({ message: Type.String(), deployment_id: newDeployment }),
);
export const RecycleAccepted = named(
  "RecycleAccepted",
  Success({ message: Type.String(), deployment_id: newDeployment, project_id: described(Id, "What is restarted") }),
);

export const CancelAccepted = named(
  "DeploymentCancelAccepted",
  Success({
    message: Type.String(),
    deployment_id: described(Id, "What is cancelled"),
    state: OneOf(["cancelled", "cancelling"], { description: "cancelling: it ends at its next checkpoint" }),
  }),
);

const RollbackCandidate = named(
  "RollbackCandidate",
  Type.Object({
    id: Id,
    commit_id: Type.String({ description: "What a rollback to it makes live" }),
    git_branch: Type.String({ description: "The branch that was deployed; of a tag, the branch that the project had" }),
    git_tag: described(GitTag, "The tag that was deployed; null: a branch"),
    description: Type.String({ description: "What it came from" }),
    created_at: Timestamp,
  }),
  "A deployment whose release can be made live again",
);
export const RollbackCandidates = named("RollbackCandidateList", Type.Array(RollbackCandidate));
