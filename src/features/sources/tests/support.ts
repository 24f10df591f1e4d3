import assert from "node:assert/strict";
import { startGitHosts } from "../../../../test/git-hosts/all.ts";
import type { GitHost } from "../../../../test/git-hosts/host.ts";
import { rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { findTarget } from "../../../engine/reconcile/queries.ts";
import { outsideQueue } from "../../../engine/reconcile/reconcile.ts";
import { jobsOf, periodicTask } from "../../../features.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import { addProvisioned, openStage as openWhole, type Stage as Whole } from "../../servers/tests/support.ts";
import { sourceKind, syncGitHost } from "../source.ts";

export const publicUrl = "https://panel.example.com";

/** The whole application, and a stand-in for each git host that it asks. */
export interface Stage extends Whole {
  hosts: Record<"git_host_a" | "git_host_b" | "git_host_c", GitHost>;
  serverId: number;
}

export async function openStage(settings: Record<string, string> = { publicUrl }): Promise<Stage> {
  const { settings: addresses, close: closeHosts, ...hosts } = await startGitHosts();
  const stage = await openWhole({ ...addresses, ...settings });
  const close = async () => {
    await stage.close();
    await closeHosts();
  };
  const serverId = await addProvisioned(stage);
  return { ...stage, hosts, serverId, close };
}

export type HostType = keyof Stage["hosts"];

export const credentialsOf = (stage: Stage, type: HostType) => ({
  token: stage.hosts[type].token,
  ...(type === "git_host_c" ? { username: "bot@example.com" } : {}),
});

/** Connects an account of the host over the API; its id. */
export async function connect(stage: Stage, type: HostType, token = stage.cast.alice): Promise<number> {
  const body = { name: `Account at ${type}`, provider_type: type, credentials: credentialsOf(stage, type) };
  const reply = await call(stage.app, "POST /api/v1/source-providers", { token, body });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data.id;
}

let count = 0;

/** Creates a project over the API; its id. Its installation is queued, and no worker takes it. */
export async function createProject(stage: Stage, repository: object, more: object = {}): Promise<number> {
  const body = {
    name: "Shop",
    server_id: stage.serverId,
    domain: `shop-${++count}.example.com`,
    framework_id: 10,
    git_repository: { repo: "acme/shop", branch: "main", ...repository },
    auto_deploy_is_active: 1,
    ...more,
  };
  const reply = await call(stage.app, "POST /api/v1/projects", { token: stage.cast.alice, body });
  assert.equal(reply.status, 201, reply.text);
  return Number(reply.body.project_id);
}

export const sourceOf = async (stage: Stage, id: number) => {
  const reply = await call(stage.app, `GET /api/v1/projects/${id}/source`, { token: stage.cast.alice });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data;
};

export const ask = (stage: Stage, line: string, body?: unknown, token = stage.cast.alice): Promise<Reply> =>
  call(stage.app, line, { token, ...(body === undefined ? {} : { body }) });

/** Does what a worker does after a change of a project's source. */
export async function follow(stage: Stage, projectId: number, signal = new AbortController().signal): Promise<void> {
  await transaction(stage.pool, (tx) => syncGitHost(tx, stage.ctx, projectId));
  const target = await findTarget(stage.pool, { ...sourceKind, subjectId: projectId });
  await attempt(stage, target?.id ?? assert.fail(), signal);
}

async function attempt(stage: Stage, targetId: number, signal = new AbortController().signal): Promise<void> {
  const handler = jobsOf(stage.ctx).find((job) => job.name === outsideQueue) ?? assert.fail();
  await handler.work({ targetId }, signal);
}

/** Does what the periodic task of git hosts finds to do, and all other due work. */
export async function lookAfter(stage: Stage): Promise<void> {
  await periodicTask(stage.ctx, "reconcile-git-host-registrations").work(new AbortController().signal);
  const due = await rows<{ id: number }>(
    stage.pool,
    sql`
      select id from targets
      where kind = ${sourceKind.kind} and applied_version < wanted_version and coalesce(retry_at, now()) <= now() order by id
    `,
  );
  for (const { id } of due) await attempt(stage, id);
}

/** Makes the next attempt due now. */
export const makeDue = (stage: Stage) =>
  stage.pool.query("update targets set retry_at = now() where kind = $1", [sourceKind.kind]);

export const keyOf = (n: number): string =>
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${Buffer.alloc(31, n).toString("base64").slice(0, 42)} longshore-project-${n}`;

/** Stores a key as if the server had made it for the project and reported it. */
export async function reportKey(stage: Stage, projectId: number, key = keyOf(projectId)): Promise<string> {
  await stage.pool.query("insert into deploy_keys (project_id, server_id, public_key) values ($1, $2, $3)", [
    projectId,
    stage.serverId,
    key,
  ]);
  return key;
}

/** A project whose key and webhook are registered at its host. */
export async function registeredProject(stage: Stage, type: HostType, repo = "acme/shop"): Promise<number> {
  const id = await createProject(stage, { type, repo });
  await reportKey(stage, id);
  await follow(stage, id);
  const source = await sourceOf(stage, id);
  assert.deepEqual(
    [source.deploy_key.is_registered, source.webhook.is_registered],
    [true, true],
    JSON.stringify(source),
  );
  return id;
}
