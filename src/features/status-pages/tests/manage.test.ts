import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, type Reply } from "../../../http/tests/support.ts";
import { addMonitor, addProject, addProvisioned, askDuring, openStage, type Stage } from "./support.ts";

let stage: Stage;
let monitorId: number;

before(async () => {
  stage = await openStage({ publicUrl: "https://panel.example.com" });
  monitorId = await addMonitor(stage, await addProject(stage.pool, await addProvisioned(stage)));
});

after(() => stage?.close());

const path = "/api/v1/status-pages";
const ask = (line: string, body?: object, token = stage.cast.alice): Promise<Reply> =>
  call(stage.app, line, { token, ...(body && { body }) });

let slugs = 0;
async function create(more: object = {}): Promise<{ id: number; slug: string }> {
  const slug = `shop-${++slugs}`;
  const reply = await ask(`POST ${path}`, { name: "Shop", slug, ...more });
  assert.equal(reply.status, 201, reply.text);
  return { id: reply.body.data.id, slug };
}

describe("a status page", () => {
  for (const field of ["slug", "domain"] as const) {
    test(`is refused when another page takes its ${field} at the same time`, async () => {
      const { id } = await create();
      const other = await create();
      const body = { name: "Shop", slug: `same-${++slugs}`, domain: `same-${slugs}.example.com` };
      for (const line of [`POST ${path}`, `PUT ${path}/${id}`]) {
        const value = field === "slug" ? `taken-${++slugs}` : `taken-${++slugs}.example.com`;
        const reply = await askDuring(
          stage,
          (tx) => tx.query(`update status_pages set ${field} = $1 where id = $2`, [value, other.id]),
          () => ask(line, { ...body, [field]: value }),
        );
        assert.deepEqual(
          [reply.status, Object.keys(reply.body.errors ?? {})],
          [422, [field]],
          `${line}: ${reply.text}`,
        );
      }
    });
  }

  test("is refused when a monitor of it is deleted at the same time", async () => {
    const { id, slug } = await create();
    for (const [line, body] of [
      [`POST ${path}`, { name: "Shop", slug: `${slug}-2` }],
      [`PUT ${path}/${id}`, {}],
    ] as const) {
      const monitor = await addMonitor(stage, await addProject(stage.pool, await addProvisioned(stage)));
      const reply = await askDuring(
        stage,
        (tx) => tx.query("delete from monitors where id = $1", [monitor]),
        () => ask(line, { ...body, monitors: [{ id: monitor }] }),
      );
      assert.equal(reply.status, 404, `${line}: ${reply.text}`);
    }
  });

  test("is created, listed, read, changed and deleted", async () => {
    const { id, slug } = await create({
      monitors: [{ id: monitorId, label: "Web shop" }],
      description: "All about it",
    });
    const read = (await ask(`GET ${path}/${id}`)).body.data;
    assert.deepEqual(
      [read.url, read.monitors, read.is_public],
      [`https://panel.example.com/status/${slug}`, [{ id: monitorId, label: "Web shop" }], true],
    );
    assert.equal((await ask(`GET ${path}`)).body.data.at(-1).id, id);
    const changed = await ask(`PUT ${path}/${id}`, { domain: "Status.Example.com" });
    assert.deepEqual(
      [changed.status, changed.body.data.domain, changed.body.data.url, changed.body.data.description],
      [200, "status.example.com", "https://status.example.com/", "All about it"],
    );
    assert.equal((await ask(`DELETE ${path}/${id}`)).status, 200);
    assert.equal((await ask(`GET ${path}/${id}`)).status, 404);
  });

  test("has a slug and a domain that no other page has, and not the address of the installation", async () => {
    const { id, slug } = await create({ domain: "one.example.com" });
    const refused = async (body: object) =>
      Object.keys((await ask(`POST ${path}`, { name: "Other", slug: "other", ...body })).body.errors ?? {});
    assert.deepEqual(await refused({ slug }), ["slug"]);
    assert.deepEqual(await refused({ slug: "Not A Slug" }), ["slug"]);
    assert.deepEqual(await refused({ domain: "one.example.com" }), ["domain"]);
    assert.deepEqual(await refused({ domain: "panel.example.com" }), ["domain"]);
    assert.deepEqual(await refused({ domain: "https://x.example.com/" }), ["domain"]);
    assert.deepEqual(await refused({ domain: "127.0.0.1" }), ["domain"]);
    assert.deepEqual(await refused({ monitors: [{ id: monitorId }, { id: monitorId }] }), ["monitors"]);
    assert.equal((await ask(`PUT ${path}/${id}`, { slug, domain: "one.example.com" })).status, 200, "its own are free");
  });

  test("shows monitors in the reach of its author only", async () => {
    const foreign = await ask(
      `POST ${path}`,
      { name: "Spy", slug: "spy", monitors: [{ id: monitorId }] },
      stage.cast.charlie,
    );
    assert.equal(foreign.status, 404);
    const { id } = await create({ monitors: [{ id: monitorId }] });
    assert.equal((await ask(`GET ${path}/${id}`, undefined, stage.cast.charlie)).status, 404);
    assert.equal((await ask(`PUT ${path}/${id}`, { name: "x" }, stage.cast.victor)).status, 403);
  });
});

describe("an incident", () => {
  test("is opened, updated, resolved, opened again, corrected and deleted", async () => {
    const { id } = await create();
    const incidents = `${path}/${id}/incidents`;
    const opened = await ask(`POST ${incidents}`, { title: "Orders are late", text: "We look into it." });
    assert.equal(opened.status, 201, opened.text);
    const { id: incidentId, state } = opened.body.data;
    assert.equal(state, "investigating");
    const openIncidents = async () => (await ask(`GET ${path}/${id}`)).body.data.open_incidents;
    assert.equal(await openIncidents(), 1);
    const resolved = await ask(`POST ${incidents}/${incidentId}/updates`, { state: "resolved", text: "Done." });
    assert.equal(resolved.status, 201);
    assert.equal(resolved.body.data.state, "resolved");
    assert.ok(resolved.body.data.resolved_at);
    assert.equal(await openIncidents(), 0);
    const [newest, oldest] = resolved.body.data.updates;
    assert.deepEqual([newest.text, oldest.text], ["Done.", "We look into it."]);
    const corrected = await ask(`PUT ${incidents}/${incidentId}/updates/${oldest.id}`, {
      text: "We are looking into it.",
    });
    assert.equal(corrected.body.data.updates[1].text, "We are looking into it.");
    const reopened = await ask(`DELETE ${incidents}/${incidentId}/updates/${newest.id}`);
    assert.deepEqual([reopened.body.data.state, reopened.body.data.resolved_at], ["investigating", null]);
    await ask(`PUT ${incidents}/${incidentId}`, { title: "Orders were late" });
    assert.equal((await ask(`GET ${incidents}`)).body.data[0].title, "Orders were late");
    assert.equal((await ask(`GET ${incidents}/${incidentId}`, undefined, stage.cast.charlie)).status, 404);
    const other = await create();
    assert.equal((await ask(`GET ${path}/${other.id}/incidents/${incidentId}`)).status, 404, "it is of another page");
    assert.equal((await ask(`DELETE ${incidents}/${incidentId}`)).status, 200);
    assert.equal((await ask(`GET ${incidents}/${incidentId}`)).status, 404);
  });
});
