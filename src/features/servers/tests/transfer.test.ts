import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { call, restrict, tokenOf } from "../../../http/tests/support.ts";
import { adminMember, adminPlan, adminUser } from "../../accounts/admin.ts";
import { addDeployment, addProject, addProvisioned, errorsOf, eventsOf, openStage, type Stage } from "./support.ts";

let stage: Stage;
let source: number;
let destination: number;
let third: number;
let id: number;

// Alice owns Acme, Beta and Gamma, but not Charlie's organization.
before(async () => {
  stage = await openStage();
  const own = (organization: string) =>
    adminUser(stage, { email: "alice@example.com", name: "Alice", organization, role: "Owner", plan: "pro" });
  source = stage.cast.organizationId;
  destination = (await own("Beta")).organization_id;
  third = (await own("Gamma")).organization_id;
});
after(() => stage?.close());
beforeEach(async () => {
  id = await addProvisioned(stage);
});

const transfer = (organization_id: unknown, token = stage.cast.alice, serverId = id) =>
  call(stage.app, `POST /api/v1/servers/${serverId}/transfer-organization`, { token, body: { organization_id } });

const readIn = (organization: number, path: string) =>
  call(stage.app, `GET /api/v1/${path}`, {
    token: stage.cast.alice,
    headers: { "x-organization": String(organization) },
  });

async function organizationOf(serverId: number): Promise<number> {
  const server = await row<{ organization_id: number }>(
    stage.pool,
    sql`select organization_id from servers where id = ${serverId}`,
  );
  return (server as { organization_id: number }).organization_id;
}

describe("a transfer", () => {
  it("moves the server with projects, deployments, domains and databases, and leaves the groups", async () => {
    const group = await row<{ id: number }>(
      stage.pool,
      sql`insert into project_groups (organization_id, name) values (${source}, 'Shops') returning id`,
    );
    const project = await addProject(stage.pool, id, group?.id ?? null);
    const deployment = await addDeployment(stage.pool, project);
    const reply = await transfer(destination);
    assert.equal(reply.status, 200);
    const { message: _, ...said } = reply.body;
    assert.deepEqual(said, { status: "success", server_id: id, organization_id: destination });
    for (const path of [`servers/${id}`, `projects/${project}`, `deployments/${deployment}`]) {
      assert.equal((await readIn(source, path)).status, 404, path);
      assert.equal((await readIn(destination, path)).status, 200, path);
    }
    const moved = (await readIn(destination, `projects/${project}`)).body;
    assert.equal((moved.data ?? moved).project_group_id, null);
    assert.equal((moved.data ?? moved).domains.length, 1);
    const databases = await rows(stage.pool, sql`select 1 from databases where server_id = ${id}`);
    assert.equal(databases.length, 1);
  });

  it("forgets no table that names an organization", async () => {
    const tables = await rows<{ table_name: string }>(
      stage.pool,
      sql`
        select table_name::text as table_name from information_schema.columns
        join information_schema.tables using (table_schema, table_name)
        where column_name = 'organization_id' and table_schema = 'public' and table_type = 'BASE TABLE' order by table_name
      `,
    );
    // Moved by transfer.ts, or by a foreign key on update cascade; or of people and organizations, which stay. `project_sources`
    // has the organization of a project's registrations; a periodic task detects the transfer and renews them.
    const moved = [
      ...["deployments", "dns_checks", "monitors", "project_pins", "project_search", "project_sources", "projects"],
      ...["servers", "server_orders", "server_pins"],
    ];
    const staying = [
      "announcements",
      // What a member does not want to see for some time: the other organization's members see it.
      "attention_snoozes",
      "audit_log",
      // It waits for a person of the organization.
      "device_authorizations",
      "events",
      "invitations",
      // Neither covers a monitor or server of another organization: their queries compare the organizations.
      "maintenance_windows",
      "status_pages",
      // It is removed from the server: it does not belong to the other organization.
      "ssh_keys",
      // Of the connection to a provider, which stays.
      "server_snapshots",
      "memberships",
      "notification_channels",
      "project_groups",
      "sent_invitations",
      "server_providers",
      "source_providers",
      "tokens",
      // Of an organization's order, which does not move with what it made.
      "workflows",
    ];
    const known = [...moved, ...staying];
    assert.deepEqual(
      tables.map((table) => table.table_name).filter((name) => !known.includes(name)),
      [],
      "Say here whether a server takes the table's rows along, and have moveToOrganization do it.",
    );
  });

  it("notifies both organizations", async () => {
    await transfer(destination);
    const emitted = await rows<{ organization_id: number; name: string }>(
      stage.pool,
      sql`select organization_id, name from events where server_id = ${id} order by id desc limit 2`,
    );
    assert.deepEqual(emitted.reverse(), [
      { organization_id: source, name: "server.transferred" },
      { organization_id: destination, name: "server.updated" },
    ]);
    assert.ok((await eventsOf(stage.pool, id)).length > 0);
  });

  it("takes the server out of the former members' restrictions and pins", async () => {
    const project = await addProject(stage.pool, id);
    await restrict(stage.pool, "Bob", source, { servers: [id], projects: [project] });
    for (const token of [stage.cast.bob, stage.cast.alice]) {
      for (const path of [`servers/${id}`, `projects/${project}`]) {
        assert.equal((await call(stage.app, `POST /api/v1/${path}/pin`, { token })).status, 200);
      }
    }
    await transfer(destination);
    const bob = await row(
      stage.pool,
      sql`
        select restricted, server_ids, project_ids from memberships
        where user_id = ${stage.cast.userIds.bob} and organization_id = ${source}
      `,
    );
    assert.deepEqual(bob, { restricted: true, server_ids: [], project_ids: [] });
    const pins = await rows(stage.pool, sql`select user_id from server_pins where server_id = ${id}`);
    assert.deepEqual(pins, [{ user_id: stage.cast.userIds.alice }]);
    const ofProject = await rows(stage.pool, sql`select user_id from project_pins where project_id = ${project}`);
    assert.deepEqual(ofProject, [{ user_id: stage.cast.userIds.alice }]);
    await adminMember(stage, { email: "bob@example.com", organization: String(source), role: "Member" });
  });

  it("of one server to two places at once ends in one", async () => {
    const replies = await Promise.all([transfer(destination), transfer(third)]);
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 404]);
    const won = replies.find((reply) => reply.status === 200);
    assert.equal(await organizationOf(id), won?.body.organization_id);
  });

  it("lets nothing be left behind that is added meanwhile", async () => {
    await transfer(destination);
    await assert.rejects(
      stage.pool.query(
        `insert into projects (organization_id, server_id, name, framework_id, repository_type, repository, repository_branch)
         values ($1, $2, 'late', 10, 'git', 'https://git.example.com/x.git', 'main')`,
        [source, id],
      ),
      /foreign key/,
    );
  });
});

describe("a transfer is refused", () => {
  it("to who is no Owner of the destination, whether it exists or not", async () => {
    await adminMember(stage, {
      email: "alice@example.com",
      organization: String(stage.cast.charlieOrganizationId),
      role: "Admin",
    });
    const answers = [await transfer(stage.cast.charlieOrganizationId), await transfer(999_999)];
    assert.deepEqual(
      answers.map((reply) => reply.status),
      [403, 403],
    );
    assert.equal(answers[0]?.body.message, answers[1]?.body.message);
    assert.equal(await organizationOf(id), source);
  });

  it("without server:transfer, which roles below Owner do not have", async () => {
    for (const token of [stage.cast.adam, stage.cast.bob, stage.cast.victor]) {
      assert.equal((await transfer(destination, token)).status, 403);
    }
    assert.equal((await transfer(destination, await tokenOf(stage.pool, "Alice", "server:update"))).status, 403);
    assert.equal((await transfer(third, await tokenOf(stage.pool, "Alice", "server:transfer"))).status, 200);
  });

  it("when the destination's plan has no room", async () => {
    await adminPlan(stage, { organization: String(third), plan: "starter" });
    const [one, other] = [await addProvisioned(stage), await addProvisioned(stage)];
    await stage.pool.query("delete from servers where organization_id = $1", [third]);
    const replies = await Promise.all([one, other].map((each) => transfer(third, stage.cast.alice, each)));
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 403]);
    const refusal = replies.find((reply) => reply.status === 403);
    assert.deepEqual(Object.keys(refusal?.body).sort(), ["message", "status"]);
    await adminPlan(stage, { organization: String(third), plan: "pro" });
  });

  it("to strangers, to its own organization, and to what is no id", async () => {
    assert.equal((await transfer(destination, stage.cast.charlie)).status, 404);
    assert.ok(errorsOf(await transfer(source)).organization_id);
    for (const nothing of [undefined, "x", 0, -1, 1.5]) {
      assert.ok(errorsOf(await transfer(nothing)).organization_id, String(nothing));
    }
  });

  it("while a project moves from or to it", async () => {
    const project = await addProject(stage.pool, id);
    const other = await addProvisioned(stage);
    const move = await addDeployment(stage.pool, project, { type: "move" });
    await stage.pool.query(
      `insert into moves (deployment_id, project_id, source_id, destination_id, databases) values ($1, $2, $3, $4, '[]')`,
      [move, project, id, other],
    );
    for (const each of [id, other]) {
      assert.match((await transfer(destination, stage.cast.alice, each)).body.message, /being moved/);
    }
  });
});
