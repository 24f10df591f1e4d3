import assert from "node:assert/strict";
import { waitForHeld } from "../../../stage/instrument.ts";
import type { Begun, Fleet, Member } from "./fleet.ts";
import type { Action, Kind } from "./kinds.ts";

/** Starts something for a project; resolves with what its visitors get when that succeeds. */
type Beginning = (fleet: Fleet, member: Member, newest: string) => Promise<string>;

const deploy: Beginning = async ({ stage: { client } }, { id }, newest) => {
  await client("POST /api/v1/deployments", { body: { project_ids: [id] } });
  return newest;
};

const rollBack: Beginning = async ({ pool, stage: { client, bash } }, { id, home }) => {
  const [candidate] = await client("GET /api/v1/projects/{id}/rollback-candidates", { params: { id } });
  assert.ok(candidate, `project ${id} has something to roll back to`);
  const { rows } = await pool.query("select release_id from deployments where id = $1", [candidate.id]);
  const body = await bash(
    `cd ${home}/releases/${rows[0].release_id} && cat version.txt 2> /dev/null || cat index.html`,
  );
  await client("POST /api/v1/deployments/{id}/rollback", { params: { id: candidate.id } });
  return `${body}\n`;
};

const recycle: Beginning = async ({ stage: { client } }, { id, serves }) => {
  await client("POST /api/v1/projects/{id}/recycle", { params: { id } });
  return serves;
};

const setUpJob: Beginning = async (fleet, member) => {
  await fleet.addJob(member);
  return member.serves;
};

/** These answer when the server did: the tests ignore the result of the request. */
const inBackground = (request: Promise<unknown>): void => void request.catch(() => undefined);

const publish: Beginning = async (fleet, member) => {
  const max_upload_mb = (await fleet.maxUploadMb(member)) + 1;
  inBackground(
    fleet.stage.client.answer("PUT /api/v1/projects/{id}", { params: { id: member.id }, body: { max_upload_mb } }),
  );
  return member.serves;
};

const toggle: Beginning = async ({ stage: { client } }, member) => {
  inBackground(client.answer("POST /api/v1/projects/{id}/maintenance/toggle", { params: { id: member.id } }));
  if (member.serves === "status 503") return member.behind ?? "";
  member.behind = member.serves;
  return "status 503";
};

// During a deployment: it is held where the removal is to be held, until the deletion ends it.
const remove: Beginning = async (fleet, member, newest) => {
  await deploy(fleet, member, newest);
  await waitForHeld(fleet.stage, member.id);
  await fleet.stage.client("DELETE /api/v1/project/{id}", { params: { id: member.id } });
  return "status 404";
};

const beginnings: Record<Action, Beginning> = {
  // The creation of the project started it.
  installation: async (_stage, _member, newest) => newest,
  deployment: deploy,
  "in-place deployment": deploy,
  rollback: rollBack,
  recycle,
  cancellation: deploy,
  "job set-up": setUpJob,
  "site publication": publish,
  maintenance: toggle,
  "project removal": remove,
};

/** Starts what the kind of plan is for. */
export const begin = async (fleet: Fleet, kind: Kind, member: Member): Promise<Begun> => ({
  member,
  kind,
  leadsTo: await beginnings[kind.action](fleet, member, fleet.newest),
});
