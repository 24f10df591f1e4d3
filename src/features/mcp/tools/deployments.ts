import { Type } from "typebox";
import type { Plan } from "../../../http/dry-run.ts";
import { OneOf } from "../../../http/schemas.ts";
import { Refusal } from "../api.ts";
import { projectOf, refuseOtherProject, serverOf } from "../names.ts";
import {
  type Call,
  Cursor,
  Int,
  listOf,
  NextCursor,
  OptionalInt,
  ProjectArgument,
  planFields,
  type Tool,
  tool,
  WaitSeconds,
} from "../tool.ts";
import { follow, followingRoutes, reportEnd } from "./following.ts";
import { sayPlan } from "./plans.ts";
import { type Deployment, ShownDeployment, sentenceOf, shown } from "./records.ts";

const findingProjects = ["GET /api/v1/projects", "GET /api/v1/projects/:id"];
const defaultWaitSeconds = 25;

const listDeployments = tool({
  name: "list_deployments",
  title: "List deployments",
  description: "Deployments, the newest first: of everything, or of one project, server or state.",
  input: Type.Object({
    project: ProjectArgument,
    server: Type.Optional(Type.Unsafe<string | number>({ type: ["string", "integer"] })),
    state: Type.Optional(
      Type.Union(
        ["queued", "running", "success", "failed", "cancelled"].map((state) => Type.Literal(state)),
        { type: "string" },
      ),
    ),
    since: Type.Optional(Type.String({ description: "ISO 8601" })),
    cursor: Cursor,
  }),
  output: Type.Object({ deployments: listOf(ShownDeployment), cursor: NextCursor }),
  needs: ["GET /api/v1/deployments", ...findingProjects],
  uses: ["GET /api/v1/servers", "GET /api/v1/servers/:id"],
  isOfProject: true,
  run: async (call, { project, server, state, since, cursor }) => {
    const { api, answer } = call;
    const isOfOne = project !== undefined || call.narrowing.project !== undefined;
    const list = await api.send<{ data: Deployment[]; next_before: number | null }>("GET /api/v1/deployments", {
      query: {
        project_id: isOfOne ? (await projectOf(call, project)).id : undefined,
        server_id: server === undefined ? undefined : (await serverOf(call, server)).id,
        status: state,
        from: since,
        before: cursor,
        per_page: 15,
      },
    });
    answer.say(list.data.length === 0 ? "There are none." : `${list.data.length} deployments:`);
    answer.say(...list.data.map((each) => `- ${sentenceOf(answer, each)}`));
    if (list.next_before !== null) answer.say(`There are more: cursor ${list.next_before}.`);
    answer.data = {
      deployments: list.data.map(shown),
      ...(list.next_before === null ? {} : { cursor: String(list.next_before) }),
    };
  },
});

const deploy = tool({
  name: "deploy",
  title: "Deploy",
  description:
    "Builds and releases the newest commit of one or several projects, and waits for the end. Answers with the outcome: " +
    "live, or why it failed with the log of the failed step, or that it still runs. Do not report a deployment as done before " +
    "its state is success.",
  input: Type.Object({
    projects: Type.Optional(
      Type.Array(Type.Unsafe<string | number>({ type: ["string", "integer"] }), {
        minItems: 1,
        maxItems: 10,
        description: "Ids or exact names",
      }),
    ),
    branch: Type.Optional(Type.String({ description: "Another branch, this once" })),
    commit: Type.Optional(Type.String({ description: "A commit, this once" })),
    wait_seconds: WaitSeconds,
  }),
  output: Type.Object({ deployments: listOf(ShownDeployment), still_running: listOf(Int) }),
  needs: ["POST /api/v1/deployments", ...findingProjects, ...followingRoutes],
  isOfProject: true,
  run: async (call, { projects, branch, commit, wait_seconds: seconds = defaultWaitSeconds }) => {
    const named: (string | number | undefined)[] = projects ?? [undefined];
    const found = await Promise.all(named.map((name) => projectOf(call, name)));
    const { deployment_ids: ids } = await call.api.send<{ deployment_ids: number[] }>("POST /api/v1/deployments", {
      body: {
        project_ids: found.map(({ id }) => id),
        ...(branch ? { branch } : {}),
        ...(commit ? { commit_id: commit } : {}),
      },
    });
    const ended = await Promise.all(ids.map((id) => follow(call, id, seconds)));
    const reports = [];
    for (const deployment of ended) reports.push(await reportEnd(call, deployment));
    const running = ended.filter(({ status }) => status === 0 || status === 3 || status === 4);
    call.answer.data = { deployments: reports, still_running: running.map(({ id }) => id) };
  },
});

const waitForDeployment = tool({
  name: "wait_for_deployment",
  title: "Wait for a deployment",
  description: "Waits until a deployment has ended, or for some time, and answers as deploy does.",
  input: Type.Object({ deployment: Type.Integer({ minimum: 1 }), wait_seconds: WaitSeconds }),
  output: ShownDeployment,
  needs: followingRoutes,
  uses: findingProjects,
  isOfProject: true,
  run: async (call, { deployment: id, wait_seconds: seconds = defaultWaitSeconds }) => {
    await deploymentOf(call, id);
    call.answer.data = await reportEnd(call, await follow(call, id, seconds));
  },
});

const cancelOrRerun = tool({
  name: "cancel_or_rerun",
  title: "Cancel or rerun a deployment",
  description: "Cancels a deployment that waits or runs, or runs a failed one again with the present settings.",
  input: Type.Object({
    deployment: Type.Integer({ minimum: 1 }),
    action: OneOf(["cancel", "rerun"]),
    wait_seconds: WaitSeconds,
  }),
  output: ShownDeployment,
  needs: ["POST /api/v1/deployments/:id/cancel", "POST /api/v1/deployments/:id/rerun", ...followingRoutes],
  uses: [...findingProjects, "GET /api/v1/deployments/:id/actions"],
  isOfProject: true,
  run: async (call, { deployment: id, action, wait_seconds: seconds = defaultWaitSeconds }) => {
    await deploymentOf(call, id);
    const asked = await withPossible(call, id, () =>
      call.api.send<{ deployment_id: number }>(`POST /api/v1/deployments/:id/${action}`, { params: { id } }),
    );
    call.answer.say(
      action === "cancel" ? `The cancel of deployment ${id} was requested.` : `Deployment ${id} runs again.`,
    );
    call.answer.data = await reportEnd(call, await follow(call, asked.deployment_id, seconds));
  },
});

const rollBack = tool({
  name: "roll_back",
  title: "Roll back",
  description:
    "Makes the release of an earlier deployment live again: the previous one, or a named one. The first call answers with the " +
    "plan, and whether a build is needed.",
  input: Type.Object({
    project: ProjectArgument,
    deployment: Type.Optional(Type.Integer({ minimum: 1, description: "Default: the previous one" })),
    wait_seconds: WaitSeconds,
  }),
  output: Type.Object({
    ...planFields,
    target: OptionalInt,
    deployment: Type.Optional(ShownDeployment),
  }),
  needs: [
    "POST /api/v1/deployments/:id/rollback",
    "GET /api/v1/projects/:id/rollback-candidates",
    ...findingProjects,
    ...followingRoutes,
  ],
  isOfProject: true,
  plan: async (call, { project, deployment }) => {
    const found = await projectOf(call, project);
    const target = deployment ?? (await previousOf(call, found.id));
    await deploymentOf(call, target, found.id);
    const { plan } = await call.api.send<{ plan: Plan }>("POST /api/v1/deployments/:id/rollback", {
      params: { id: target },
      query: { dry_run: 1 },
    });
    const name = call.answer.name("project", found.id, found.name);
    call.answer.say(`The release of deployment ${target} would become live for ${name}.`);
    sayPlan(call.answer, plan);
    call.answer.data = { target };
    return { plan };
  },
  run: async (call, { project, deployment, wait_seconds: seconds = defaultWaitSeconds }, confirmationId) => {
    const target = deployment ?? (await previousOf(call, (await projectOf(call, project)).id));
    const { deployment_id: id } = await call.api.send<{ deployment_id: number }>(
      "POST /api/v1/deployments/:id/rollback",
      {
        params: { id: target },
        ...(confirmationId === undefined ? {} : { idempotencyKey: confirmationId }),
      },
    );
    call.answer.data = { target, deployment: await reportEnd(call, await follow(call, id, seconds)) };
  },
});

/** The newest one that can be rolled back to. */
async function previousOf(call: Call, projectId: number): Promise<number> {
  const [previous] = await call.api.send<{ id: number }[]>("GET /api/v1/projects/:id/rollback-candidates", {
    params: { id: projectId },
  });
  if (previous) return previous.id;
  throw new Refusal(409, { message: "The project has no earlier release to roll back to." });
}

/** Refuses one that the caller does not reach, and one of another project. */
export async function deploymentOf(call: Call, id: number, projectId?: number): Promise<void> {
  const { project_id: own } = await call.api.send<Deployment>("GET /api/v1/deployments/:id", { params: { id } });
  await refuseOtherProject(call, own);
  if (projectId !== undefined && own !== projectId) {
    throw new Refusal(422, { message: `Deployment ${id} is of another project.` });
  }
}

/** A refusal with what can be done to the deployment instead. */
async function withPossible<Done>(call: Call, id: number, work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || ![409, 422].includes(error.status)) throw error;
    const { data } = await call.api.send<{ data: Record<string, { is_allowed: boolean }> }>(
      "GET /api/v1/deployments/:id/actions",
      { params: { id } },
    );
    const possible = Object.entries(data).filter(([, { is_allowed: isAllowed }]) => isAllowed);
    call.answer.say(`Possible now: ${possible.map(([verb]) => verb).join(", ") || "nothing"}.`);
    throw error;
  }
}

export const deploymentTools: readonly Tool[] = [listDeployments, deploy, waitForDeployment, cancelOrRerun, rollBack];
