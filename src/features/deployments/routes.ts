import { Type } from "typebox";
import { LogPage, LogQuery } from "../../http/logs.ts";
import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { checkNewProject } from "../projects/actions.ts";
import { ProjectCreated, ProjectRequest } from "../projects/schema.ts";
import { refuseUnknownHook } from "../sources/webhook.ts";
import {
  cancelDeployment,
  downloadLog,
  installProject,
  recycle,
  requestDeployments,
  rerunDeployment,
  rollBack,
  showDeployment,
  showDeployments,
  showLog,
  showRollbackCandidates,
} from "./actions.ts";
import { moveProject } from "./moves/actions.ts";
import type { MovingApps } from "./moves/apps.ts";
import { MoveAccepted, MoveRequest } from "./moves/schema.ts";
import { receiveDelivery } from "./pushes.ts";
import {
  CancelAccepted,
  DeliveryTaken,
  DeploymentAccepted,
  DeploymentPage,
  DeploymentReply,
  DeploymentRequest,
  DeploymentsAccepted,
  HookParams,
  RecycleAccepted,
  RollbackCandidates,
} from "./schema.ts";

export const deploymentRoutes = (apps: MovingApps): Route[] => [
  route({
    method: "POST",
    path: "/api/v1/projects",
    summary: "Create a project from a git repository",
    description:
      "The site is prepared on the server and a first deployment runs; `installation_status` becomes 1 when it is live.",
    permission: "project:create",
    body: ProjectRequest,
    status: 201,
    reply: ProjectCreated,
    examples: {
      body: {
        name: "Shop",
        server_id: 1,
        domain: "shop.example.com",
        framework_id: 8,
        git_repository: { repo: "acme/shop", type: "git_host_a", branch: "main" },
      },
    },
    check: checkNewProject,
    handle: async (ctx, { body }) => success(await installProject(ctx, body)),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/move",
    summary: "Move a project to another server",
    description:
      "A deployment of the commit that is live, on the destination; then shared files and attached databases are copied " +
      "while visitors see the maintenance page, the project is switched over, and removed from its former server. Until " +
      "the switch a failure or a cancel leaves it serving as before. Its domains must be pointed at the new server. A " +
      "catalog application is copied with its release instead of being built.",
    permission: "project:update",
    params: IdParams,
    body: MoveRequest,
    status: 202,
    reply: MoveAccepted,
    errors: {
      refused: "It is not installed, being deployed, updated or moved, or an earlier move is still being cleared up.",
    },
    examples: { body: { server_id: 2 } },
    handle: async (ctx, { params, body }) => success(await moveProject(ctx, apps, params.id, body)),
  }),
  route({
    method: "POST",
    path: "/api/v1/deployments",
    summary: "Deploy one or many projects",
    description: "All or nothing: when one project cannot be deployed, none is queued.",
    permission: "deployment:create",
    body: DeploymentRequest,
    status: 202,
    reply: DeploymentsAccepted,
    errors: { not_found: "One of the projects does not exist, or is out of reach; the message names it." },
    examples: { body: { project_ids: [1, 2] } },
    handle: async (ctx, { body }) => success(await requestDeployments(ctx, body.project_ids)),
  }),
  route({
    method: "POST",
    path: "/api/v1/hooks/:source/:token",
    summary: "Receive a git webhook",
    description:
      "For git hosts: the webhook of a project. A push to the branch of an auto-deploy project queues one deployment of that " +
      "commit and answers 202; what is no such push, and a repeated delivery, answers 200 and queues nothing. Deliveries of " +
      "GitHub, GitLab and Bitbucket must be signed with the webhook's secret.",
    permission: "public",
    params: HookParams,
    // The address is entered at a git host, which may add to it.
    ignoresQuery: true,
    rawBody: true,
    // A push lists its commits with all files they touch.
    bodyLimit: 5 * 1024 * 1024,
    status: 202,
    otherStatuses: [200],
    reply: DeliveryTaken,
    errors: {
      unauthenticated: "The delivery is not signed.",
      forbidden: "The signature is not that of the webhook's secret.",
      not_found: "There is no such webhook.",
      body_too_large: "The body is larger than 5 MiB.",
      invalid: "The body is signed, and is not the JSON that a git host sends.",
    },
    admit: refuseUnknownHook,
    handle: (ctx, { params, rawBody }) => receiveDelivery(ctx, params, rawBody),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/deployments",
    summary: "List a project's deployments",
    permission: "project:read",
    params: IdParams,
    query: PageQuery,
    reply: DeploymentPage,
    handle: (ctx, { params, query }) => showDeployments(ctx, params.id, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/deployments/:id",
    summary: "Read a deployment with its log",
    permission: "project:read",
    params: IdParams,
    reply: DeploymentReply,
    handle: (ctx, { params }) => showDeployment(ctx, params.id),
  }),
  route({
    method: "GET",
    path: "/api/v1/deployments/:id/log",
    summary: "Read a part of a deployment's log",
    description:
      "For logs of any length, and to follow one that grows: each event `deployment.log` with an `offset` signals that there " +
      "is something from there on.",
    permission: "project:read",
    params: IdParams,
    query: LogQuery,
    reply: LogPage,
    handle: async (ctx, { params, query }) => success(await showLog(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/deployments/:id/log.txt",
    summary: "Download a deployment's log as text",
    description: "Everything up to now, in the order it was printed.",
    permission: "project:read",
    params: IdParams,
    streams: "text/plain",
    reply: Type.String(),
    handle: (ctx, { params }) => downloadLog(ctx, params.id),
  }),
  route({
    method: "POST",
    path: "/api/v1/deployments/:id/cancel",
    summary: "Cancel a deployment",
    permission: "deployment:create",
    params: IdParams,
    status: 202,
    reply: CancelAccepted,
    errors: { conflict: "It is being cancelled, has ended, is live, or deploys in place." },
    handle: async (ctx, { params }) => success(await cancelDeployment(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/deployments/:id/rerun",
    summary: "Run a failed deployment again",
    permission: "deployment:create",
    params: IdParams,
    status: 202,
    reply: DeploymentAccepted,
    errors: { refused: "The deployment did not fail." },
    handle: async (ctx, { params }) => success(await rerunDeployment(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/rollback-candidates",
    summary: "List deployments that can be rolled back to",
    permission: "project:read",
    params: IdParams,
    reply: RollbackCandidates,
    handle: (ctx, { params }) => showRollbackCandidates(ctx, params.id),
  }),
  route({
    method: "POST",
    path: "/api/v1/deployments/:id/rollback",
    summary: "Roll back to an earlier deployment",
    description: "A release that is still on the server is made live without a build.",
    permission: "deployment:create",
    params: IdParams,
    status: 202,
    reply: DeploymentAccepted,
    errors: { refused: "The deployment was not successful, has no commit, or is live." },
    handle: async (ctx, { params }) => success(await rollBack(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/recycle",
    summary: "Restart a Node project's process without downtime",
    permission: "deployment:create",
    params: IdParams,
    status: 202,
    reply: RecycleAccepted,
    errors: {
      refused:
        "It is no Node project, deploys in place, is not installed, or is being deployed; an application is being updated.",
    },
    handle: async (ctx, { params }) => success(await recycle(ctx, apps, params.id)),
  }),
];
