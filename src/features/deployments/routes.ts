import { Type } from "typebox";
import { dryRun } from "../../http/dry-run.ts";
import {
  followLogErrors,
  howLogsAreFollowed,
  LogEvent,
  LogMatches,
  LogPage,
  LogQuery,
  LogSearchQuery,
  LogStreamQuery,
  logEventExample,
  logMatchesExample,
} from "../../http/logs.ts";
import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { checkNewProject } from "../projects/actions.ts";
import { ProjectCreated, ProjectRequest } from "../projects/schema.ts";
import { refuseUnknownHook } from "../sources/webhook.ts";
import {
  cancelDeployment,
  checkRequest,
  downloadLog,
  findInLog,
  installProject,
  recycle,
  requestDeployments,
  rerunDeployment,
  rollBack,
  showLog,
  showRollbackCandidates,
} from "./actions.ts";
import {
  deploymentExample,
  deploymentPageExample,
  deploymentSliceExample,
  logPageExample,
  plannedRollbackExample,
  rollbackCandidatesExample,
} from "./examples.ts";
import { followDeploymentLog } from "./log-stream.ts";
import { receiveDelivery } from "./pushes.ts";
import { showAllDeployments, showDeployments } from "./records/actions.ts";
import {
  CancelAccepted,
  DeliveryTaken,
  DeploymentAccepted,
  DeploymentPage,
  DeploymentQuery,
  DeploymentReply,
  DeploymentRequest,
  DeploymentSlice,
  DeploymentsAccepted,
  HookParams,
  RecycleAccepted,
  RollbackCandidates,
} from "./schema.ts";
import { showDeploymentAtEnd, WaitQuery } from "./wait.ts";

export const deploymentRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/projects",
    summary: "Create a project from a git repository",
    description:
      "The project is created, and its first deployment is queued: it prepares the site on the server, builds the " +
      "branch and makes it live. `installation_status` becomes 1 then; `GET /projects/:id/deployments` shows the " +
      "progress. `project_id` is a string here, and an integer everywhere else.\n\n" +
      "* `server_id`: an App server whose setup has ended. `framework_id`: `GET /frameworks`; " +
      "`POST /projects/detect` proposes it and most settings.\n" +
      "* `domain`: one host name with at least one dot, stored as punycode. It belongs to no other project of the " +
      "installation, and neither does the form that `www_redirect` adds. `ssl_is_enabled` (off) orders a " +
      "certificate as soon as the name leads to the server.\n" +
      "* `git_repository.repo`: stored as it was sent, `owner/name` or an address; one with a password in it gets " +
      "422. A private repository needs the deploy key of `GET /projects/:id/source`, or a connected account. The " +
      "first deployment waits up to ten minutes until an account's host has the key.\n" +
      "* `zero_downtime` is on and `auto_deploy_is_active` off by default. Commands, paths and versions are those " +
      "of `PUT /projects/:id`; omitted ones are the framework's.",
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
      reply: success({ message: "The project was created. Its installation has started.", project_id: "7" }),
    },
    check: checkNewProject,
    handle: async (ctx, { body }) => success(await installProject(ctx, body)),
  }),
  route({
    method: "POST",
    path: "/api/v1/deployments",
    summary: "Deploy one or many projects",
    description:
      "Each project gets one deployment of the newest commit of its branch, with its present settings; an id that " +
      "is listed twice counts once. All or nothing: when one project is out of reach, or a catalog application " +
      "(422), none is queued.\n\n" +
      "* `branch` and `commit_id` deploy something else than the newest commit of the project's branch, this once, of all listed " +
      "projects. Whether they exist is found at the fetch: if not, the deployment fails with that sentence.\n" +
      "* For pipelines, which may run twice: with `idempotent_per_commit`, a project that has a queued, running or successful " +
      "deployment of the commit keeps it, also one that another caller requested, and its id is in the answer. Of requests at the same time one " +
      "queues. What was cancelled or has failed is deployed again. A running deployment that was requested without a commit " +
      "counts when it has ended.\n\n" +
      "The answer comes at once, with the ids in the order of the request. `status` of `GET /deployments/:id`, and " +
      "the event `deployment.updated`, show the progress. One deployment of a project runs on a server at a time, " +
      "and as many of all projects as the server's `queue_limit` permits; projects take turns, so that many " +
      "deployments of one do not delay another's. Behind a load balancer the project's own server is first, and " +
      "each further one gets a deployment when the one before has succeeded. A server that does not answer before " +
      "anything was sent to it fails the deployment within a minute.",
    permission: "deployment:create",
    body: DeploymentRequest,
    status: 202,
    reply: DeploymentsAccepted,
    errors: {
      not_found: "One of the projects does not exist, or is out of reach; the message names it.",
      refused: "One of the projects is a catalog application.",
    },
    examples: {
      body: { project_ids: [7, 8] },
      reply: success({ message: "2 deployments were queued.", deployment_ids: [102, 103] }),
    },
    check: checkRequest,
    handle: async (ctx, { body }) => success(await requestDeployments(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/deployments",
    summary: "List all deployments",
    description:
      "Of the organization, the newest first, 15 on a page, without `output` and `steps`. Send `next_before` as `before` for the " +
      "next page: what is added in between moves nothing. Filters are combined, and values of one are alternatives; an id " +
      "that does not exist matches nothing.\n\n" +
      "* `from` and `to` compare `created_at`.\n" +
      "* `q` has no place for the names of projects, servers and people: filter by their ids.\n" +
      "* With a `q` that has no three letters (a to z) or digits in a row, 5,000 deployments are searched for a page: it may have " +
      "few or none although `next_before` is set. It is null at the end of the history.\n" +
      "* `waiting_for` is that of the moment, and null for what is not queued.",
    permission: "project:read",
    query: DeploymentQuery,
    reply: DeploymentSlice,
    examples: { reply: deploymentSliceExample },
    handle: (ctx, { query }) => showAllDeployments(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/hooks/:source/:token",
    summary: "Receive a git webhook",
    description:
      "For git hosts: `webhook.url` of the project's source is this address. A push to the branch of a project with " +
      "auto-deploy, and one of a tag that fits its `deploy_tags`, queues one deployment of the pushed commit and answers " +
      "202 with `deployment_id`; anything else answers 200 with null and a sentence, and queues nothing. Where Bitbucket " +
      "reports several that are deployed, `deployment_id` is the last one. The body may have 5 MiB, and added query " +
      "parameters are ignored.\n\n" +
      "* Deliveries of GitHub, GitLab and Bitbucket must be signed with the webhook's secret: an unsigned one gets " +
      "401, a wrongly signed one 403, an unknown address 404 before its body is read. For other git servers the " +
      "address is the proof.\n" +
      "* A delivery that was received before queues nothing; deliveries are remembered for a year. GitHub and " +
      "GitLab number them, and for GitHub equal bytes count as a repetition too. For others the pushed commits " +
      "decide, unless the branch is back where the push begins.\n" +
      "* A push that is older than an accepted one queues nothing, where that can be detected.\n" +
      "* The deployment has `initiated_by` null, the description `Push by <author>`, or `Tag <name> by <author>` with `git_tag`, and " +
      "the push's `commit_author` and `commit_message`.",
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
    examples: { reply: success({ message: "A deployment of the commit was queued.", deployment_id: 102 }) },
    admit: refuseUnknownHook,
    handle: (ctx, { params, rawBody }) => receiveDelivery(ctx, params, rawBody),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/deployments",
    summary: "List a project's deployments",
    description:
      "Of every kind (`process_type`) and on all servers of the project, the newest first, 15 on a page, without " +
      "`output` and `steps`.",
    permission: "project:read",
    params: IdParams,
    query: PageQuery,
    reply: DeploymentPage,
    examples: { reply: deploymentPageExample },
    handle: (ctx, { params, query }) => showDeployments(ctx, params.id, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/deployments/:id",
    summary: "Read a deployment with its log",
    description:
      "The record itself, not under `data`: its `status` is a number. A release is named by its deployment, " +
      "`releases/<id>` on the server; a rollback makes that of the earlier deployment live.\n\n" +
      "* `error` is the reason of a failure in a sentence, with the line of the log that shows it, which is the " +
      "`detail` of the failed step.\n" +
      "* `warnings` are problems of a release that is live nevertheless. Those of its files, such as rules of " +
      "`.htaccess` without effect, are in the deployment that made it, and not in a rollback to it.\n" +
      "* `proposed_settings`: what to send to `PUT /projects/:id`, so that the next deployment takes along files " +
      "that would have been lost. Of very many paths it has the first.\n" +
      "* `output` has up to 1 MiB of the log for each audience; of a longer one the first 256 KiB and the last 768, " +
      "with a line in between. The secrets of the environment are masked. Logs are kept for 30 days " +
      "(`LONGSHORE_LOG_RETENTION_DAYS`), records stay.\n" +
      "* `duration` counts while it runs. `initiated_by` is null after a push, and for a rollback that a monitor " +
      "caused.\n" +
      "* `waiting_for` of a queued one is the first condition that is not met for its start.\n" +
      "* `commit_url` and `compare_url` are null for git servers other than GitHub, GitLab and Bitbucket. `commit_author` and " +
      "`commit_message` are those of the push, or of the fetched commit once it has ended: one line, at most 200 " +
      "characters.\n" +
      "* `steps` and `output` of a move hold all of its runs: a key may stand twice, and they grow after its " +
      "success while the former server is cleared.\n" +
      "* `wait_seconds`: one request waits for the end. The answer comes at once when the deployment has ended, else at its end or " +
      "after this time, as the deployment is then: repeat the request while `status` is 0, 3 or 4. It counts once against the rate limit.",
    permission: "project:read",
    params: IdParams,
    query: WaitQuery,
    reply: DeploymentReply,
    examples: { reply: deploymentExample },
    handle: (ctx, { params, query }) => showDeploymentAtEnd(ctx, params.id, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/deployments/:id/log",
    summary: "Read a part of a deployment's log",
    description:
      "For logs of any length, and to follow one that grows: send `next` as `after` until `is_complete`; " +
      "`has_more`: there is more already. Each event `deployment.log` with an `offset` signals that there is " +
      "something from there on. A page has at least one part, so it may be up to 64 KiB longer than `limit`; " +
      "offsets grow with gaps.\n\n" +
      "A page may begin at a line instead, with `from_line`, `before_line` or `tail`. It has whole lines, cut to those that were " +
      "asked for; when it is cut, `next` is the last part again.",
    permission: "project:read",
    params: IdParams,
    query: LogQuery,
    reply: LogPage,
    examples: { reply: logPageExample },
    handle: async (ctx, { params, query }) => success(await showLog(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/deployments/:id/log/search",
    summary: "Search a deployment's log",
    description: "Control characters of the lines are left as they were printed.",
    permission: "project:read",
    params: IdParams,
    query: LogSearchQuery,
    reply: LogMatches,
    examples: { reply: logMatchesExample },
    handle: async (ctx, { params, query }) => success(await findInLog(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/deployments/:id/log/stream",
    summary: "Follow a deployment's log",
    description: `${howLogsAreFollowed} Of a move, the log ends with the clean-up of the former server.`,
    permission: "project:read",
    params: IdParams,
    query: LogStreamQuery,
    streams: "text/event-stream",
    reply: LogEvent,
    errors: followLogErrors,
    examples: { reply: logEventExample },
    handle: (ctx, { params, query }) => followDeploymentLog(ctx, params.id, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/deployments/:id/log.txt",
    summary: "Download a deployment's log as text",
    description:
      "Everything up to now, in the order it was printed; it does not wait for more. Control characters other than " +
      "newlines and tabs are shown as their pictures (`␛` for ESC), so that the output of a build cannot change " +
      "what a terminal shows. The other addresses of a log return them unchanged.",
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
    description:
      "A queued deployment is `cancelled` at once. A running one is `cancelling` and stops at its next checkpoint: " +
      "its steps are undone and its release is deleted. That is possible until the new release was verified through " +
      "nginx, also shortly after the switch; for a move until its switch. Afterwards the answer is 409: roll back " +
      "instead.\n\n" +
      "* A cancel that comes too late, but before the server has reported that, answers 202. The deployment is then " +
      "shown as running again, and the next cancel gets 409.\n" +
      "* What began in place (`zero_downtime` off at that time) cannot be cancelled once it runs.",
    permission: "deployment:create",
    params: IdParams,
    status: 202,
    reply: CancelAccepted,
    errors: { conflict: "It is being cancelled, has ended, is live, or deploys in place." },
    examples: {
      reply: success({
        message: "The deployment stops at its next checkpoint.",
        deployment_id: 102,
        state: "cancelling" as const,
      }),
    },
    handle: async (ctx, { params }) => success(await cancelDeployment(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/deployments/:id/rerun",
    summary: "Run a failed deployment again",
    description:
      "Queues a new deployment of the commit that failed, or of the branch if it failed before it knew the commit, " +
      "with the present settings.\n\n" +
      "* The rerun of a rollback is a rollback. That of a recycle is a recycle while its release is live and " +
      "nothing of the project is queued or running, and else a deployment.\n" +
      "* One on a further server of a balanced project (`rolling_of`) is run again there, and continues on the " +
      "servers after it.\n" +
      "* A move, and the recycle of a catalog application, are not run again (422): request them again.",
    permission: "deployment:create",
    params: IdParams,
    status: 202,
    reply: DeploymentAccepted,
    errors: { refused: "The deployment did not fail." },
    examples: { reply: success({ message: "The deployment was queued again.", deployment_id: 103 }) },
    handle: async (ctx, { params }) => success(await rerunDeployment(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/rollback-candidates",
    summary: "List deployments that can be rolled back to",
    description:
      "Up to 50, the newest first: successful deployments with a commit whose release is not live. After a rollback " +
      "or recycle, the earlier deployment of the same release is not among them.",
    permission: "project:read",
    params: IdParams,
    reply: RollbackCandidates,
    examples: { reply: rollbackCandidatesExample },
    handle: (ctx, { params }) => showRollbackCandidates(ctx, params.id),
  }),
  route({
    method: "POST",
    path: "/api/v1/deployments/:id/rollback",
    summary: "Roll back to an earlier deployment",
    description:
      "Queues a deployment that makes the release of an earlier one live again, with the present environment " +
      "variables. A release that is still on the server is activated without a build; otherwise, and for one that " +
      "was deployed in place, its commit is built again. It is verified like any deployment. Behind a load balancer " +
      "it goes from server to server; a deployment on a further server stands for the one that it continues.\n\n" +
      "With `dry_run` nothing is queued: the answer is 200, and `plan` shows which release would become live and whether it has to be built, as things are now: a release " +
      "that is there may have been replaced when the turn of the rollback comes.",
    permission: "deployment:create",
    params: IdParams,
    query: Type.Object({ dry_run: dryRun }),
    status: 202,
    reply: DeploymentAccepted,
    errors: { refused: "The deployment was not successful, has no commit, or is live." },
    examples: {
      reply: success({ message: "The rollback was queued.", deployment_id: 103 }),
      plan: plannedRollbackExample,
    },
    handle: (ctx, { params, query }) => rollBack(ctx, params.id, query.dry_run),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/recycle",
    summary: "Restart a Node project's process without downtime",
    description:
      "Queues a deployment that starts a fresh process of the live release, with the present environment variables, " +
      "and switches to it as to a new release. It has the commit of the release, and never builds: if the release " +
      "cannot be started again when its turn comes, it fails with the reason. Refused while a deployment of the " +
      "project is queued or running on any of its servers, for a live release that was deployed in place, and while " +
      "a catalog application is updated, moved or given its new address.",
    permission: "deployment:create",
    params: IdParams,
    status: 202,
    reply: RecycleAccepted,
    errors: {
      refused:
        "It is no Node project, deploys in place, is not installed, or is being deployed; an application is being updated.",
    },
    examples: { reply: success({ message: "The recycle was queued.", deployment_id: 103, project_id: 7 }) },
    handle: async (ctx, { params }) => success(await recycle(ctx, params.id)),
  }),
];
