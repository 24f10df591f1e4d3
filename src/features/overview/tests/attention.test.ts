import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { World } from "../../../../test/route-world.ts";
import { sql } from "../../../db/sql.ts";
import { routesOf } from "../../../features.ts";
import { permissions } from "../../../http/actor.ts";
import { operationId } from "../../../http/route.ts";
import { type Kind, type KindName, kindNames, kinds } from "../attention/kinds.ts";
import { narrowToken, openStage, type Stage } from "./support.ts";

interface Item {
  key: string;
  kind: KindName;
  severity: string;
  subject: { noun: string; id: number; name: string };
  server_id: number | null;
  project_id: number | null;
  since: string;
  message: string;
  operation: string | null;
  label: string | null;
  params: Record<string, number> | null;
}

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.end());

// Each test has an organization without problems.
beforeEach(async () => {
  stage.world = new World(stage.world.ctx, stage.cast);
  await stage.database.pool.query(
    "truncate servers, server_orders, server_providers, notification_channels, attention_snoozes, events cascade",
  );
});

const items = async (token?: string, query = ""): Promise<Item[]> => {
  const { status, body, text } = await stage.ask(`GET /api/v1/attention${query}`, token);
  assert.equal(status, 200, text);
  return body.data;
};
const keys = async (token?: string, query = "") => (await items(token, query)).map(({ key }) => key);
const run = (statement: ReturnType<typeof sql>) => stage.database.pool.query(statement);

const announced = async () =>
  (
    await stage.database.pool.query(
      "select data ->> 'noun' as noun, (data ->> 'id')::bigint as id, server_id, project_id from events where name = 'attention.updated' order by events.id",
    )
  ).rows;

/** A watch of a process that restarts again and again. */
const crash = (projectId: number, jobId: number | null = null) =>
  stage.make(sql`
    insert into process_watches (project_id, server_id, job_id, checked_at, counts, recent, last_restart_at, looping_since,
      restarts, last_lines)
    select project_id, server_id, ${jobId}, now(), '{}', '[]', now(), now(), 7, '{}' from placements
    where project_id = ${projectId} returning id`);

const setup = async (state: string, error: string | null, statuses: string[] = []): Promise<number> => {
  const server = await stage.world.server("web-1");
  const id = await stage.make(sql`
    insert into runs (server_id, kind, subject, subject_id, plan, nonce, state)
    values (${server}, 'provision', 'server', ${server}, '{"steps": []}', 'n', 'running') returning id`);
  for (const [position, status] of statuses.entries()) {
    await run(sql`insert into run_steps (run_id, position, key, label, phase, status)
      values (${id}, ${position}, 'step', ${`Step ${position}`}, 'base', ${status})`);
  }
  await run(sql`update runs set state = ${state}, error = ${error}, ended_at = now() where id = ${id}`);
  return server;
};

const order = async (state: string, statement = sql`true`): Promise<number> => {
  const { orderId } = await stage.world.orderedServer();
  await run(sql`update server_orders set state = ${state}, ended_at = now(), error = 'The provider is out of machines.'
    where id = ${orderId} and ${statement}`);
  return orderId;
};

const project = () => stage.world.project();
const certificate = async (change: ReturnType<typeof sql>, source: "acme" | "custom" = "acme") => {
  const id = await stage.world.certificate(await project(), source);
  await run(sql`update certificates set ${change} where id = ${id}`);
  return id;
};
const down = async (monitor: number) => {
  await run(
    sql`insert into monitor_events (monitor_id, status, message) values (${monitor}, 'down', 'It answered 503.')`,
  );
  await run(sql`update monitors set current_status = 'down', last_status_changed_at = now() where id = ${monitor}`);
  return monitor;
};
const heartbeat = async () => {
  const id = await project();
  return stage.make(sql`
    insert into monitors (organization_id, project_id, type, target, job_id, name, ping_token, ping_digest)
    values (${stage.cast.organizationId}, ${id}, 'heartbeat', 'scheduled', ${await stage.world.job("scheduled", id)}, 'Nightly',
      'x', sha256(gen_random_uuid()::text::bytea)) returning id`);
};
const target = (subject: string, subjectId: number, serverId: number) =>
  run(sql`
    insert into targets (kind, subject, subject_id, server_id, wanted_version, applied_version, attempts, error)
    values ('site', ${subject}, ${subjectId}, ${serverId}, 2, 1, 1, 'nginx rejected the site.')`);

/** Makes a record that needs attention; returns the id of the subject. */
const makers: Record<KindName, () => Promise<number>> = {
  server_unreachable: async () => {
    const id = await stage.world.server("web-1");
    await run(sql`update servers set connection_status = 0, connection_error = 'Connection refused' where id = ${id}`);
    return id;
  },
  server_disk_filling: async () => {
    const id = await stage.world.server();
    const disk = JSON.stringify({ disk: { total_bytes: 1_000, available_bytes: 99 } });
    await run(sql`insert into server_readings values (${id}, now(), ${disk}::jsonb, now())`);
    return id;
  },
  server_not_connected_yet: async () => {
    const id = await stage.world.lostServer();
    await run(sql`update servers set setup_version = null, connect_at = now() where id = ${id}`);
    return id;
  },
  server_not_connected: async () => {
    const id = await stage.world.lostServer();
    await run(sql`update servers set setup_version = null where id = ${id}`);
    return id;
  },
  setup_failed: () => setup("failed", "The setup gave up at apt."),
  setup_incomplete: () => setup("succeeded", null, ["completed", "failed", "unreported"]),
  server_not_applied: async () => {
    const id = await stage.world.server();
    await target("server", id, id);
    return id;
  },
  order_failed: async () => {
    const id = await order("failed");
    return stage.make(sql`update servers s set server_status = 0, connection_status = 0 from server_orders o
      where o.id = ${id} and s.id = o.server_id returning s.id`);
  },
  order_left: () => order("left"),
  snapshot_failed: async () => {
    const id = await stage.world.snapshot("creating");
    await run(sql`update server_snapshots set state = 'failed', error = 'No space.' where id = ${id}`);
    return id;
  },
  provider_failing: async () => {
    const id = await stage.world.serverProvider();
    await run(sql`update server_providers set sweep_error = 'The token was revoked.' where id = ${id}`);
    return id;
  },
  monitor_down: async () => down(await stage.world.monitor()),
  heartbeat_late: async () => down(await heartbeat()),
  deployment_failed: () => stage.world.deployment({ status: 2 }),
  move_failed: () => stage.world.deployment({ status: 2, processType: "move" }),
  project_crashing: async () => {
    const id = await project();
    await crash(id);
    return id;
  },
  job_crashing: async () => {
    const id = await project();
    const job = await stage.world.job("background", id);
    await crash(id, job);
    return job;
  },
  job_failed: async () => {
    const job = await stage.world.job("scheduled", await project());
    await run(sql`update project_jobs set status = 'failed', error = 'cron rejected it.' where id = ${job}`);
    return job;
  },
  app_not_installed: () => stage.world.installedApp("app_cms", 2),
  app_not_updated: async () => {
    const id = await stage.world.installedApp("app_cms", 1);
    await run(sql`update app_installations set update_state = 'failed', update_version = '2', update_error = 'No space.',
      update_ended_at = now() where project_id = ${id}`);
    return id;
  },
  project_not_applied: async () => {
    const id = await project();
    await target("project", id, await stage.world.sharedServer());
    return id;
  },
  source_not_registered: async () => {
    const id = await project();
    await run(sql`insert into source_registrations (project_id, provider_id, repository, kind, subject, error)
      values (${id}, ${await stage.world.sourceProvider()}, 'acme/shop', 'hook', 'push', 'The token may not do that.')`);
    return id;
  },
  certificate_failed: () =>
    certificate(sql`status = 2, version = null, server_id = null, not_after = null, error = 'No proof.'`),
  certificate_expiring: () => certificate(sql`failures = 3, error = 'Rate limited.'`),
  own_certificate_expiring: () => certificate(sql`not_after = now() + interval '20 days'`, "custom"),
  domain_elsewhere: async () => {
    const id = await project();
    const domain = await stage.world.domainOf(id, {});
    await stage.world.certificate(id, "acme");
    await run(sql`
      update certificates set left_out = (select jsonb_build_array(jsonb_build_object('name', domain_name, 'reason', 'It leads to 192.0.2.1.'))
        from domains where id = ${domain}) where project_id = ${id}`);
    return domain;
  },
  database_failed: async () => (await stage.world.database({ status: 2 })).database,
  channel_failing: async () => {
    const id = await stage.world.channel("webhook");
    await run(sql`update notification_channels set last_delivery_status = 'failed', last_delivery_at = now(),
      last_delivery_error = 'It answered 410.' where id = ${id}`);
    return id;
  },
};

describe("every kind of item", () => {
  for (const kind of kindNames) {
    test(kind, async () => {
      const { severity, noun, permission, mend }: Kind = kinds[kind];
      const id = await makers[kind]();
      const [item, ...others] = (await items()).filter((each) => each.kind === kind);
      assert.ok(item, `It is not listed: ${await keys()}`);
      assert.deepEqual(others, []);
      assert.deepEqual([item.key, item.severity, item.subject.noun], [`${kind}:${id}`, severity, noun]);
      assert.equal(item.subject.id, id);
      assert.ok(item.subject.name.length > 0 && item.message.length > 5);
      assert.match(item.since, /^\d{4}-\d\d-\d\dT.*Z$/);
      assert.deepEqual([item.operation, item.label], [mend?.operation ?? null, mend?.label ?? null]);
      if (mend) assert.ok(Object.values(item.params ?? {}).every((value) => value > 0));

      assert.deepEqual(await keys(stage.cast.charlie), []);
      assert.ok(!(await keys(await stage.restricted({}))).includes(item.key));
      const further = permissions.filter((each) => each !== permission).join(",");
      assert.ok(!(await keys(await narrowToken(stage, further))).includes(item.key));
      if (item.project_id !== null && item.subject.noun !== "database") {
        const colleague = await stage.restricted({ projects: [item.project_id] });
        assert.ok((await keys(colleague)).includes(item.key), "Not for a member who reaches the project only.");
      }
    });
  }

  test("has an operation that exists, with the permission and the parameters that it needs", () => {
    const byId = new Map(routesOf().map((route) => [operationId(route), route]));
    for (const kind of kindNames) {
      const { mend }: Kind = kinds[kind];
      if (!mend) continue;
      const route = byId.get(mend.operation);
      assert.ok(route, mend.operation);
      assert.equal(route.permission, mend.needs, mend.operation);
      const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      assert.deepEqual(Object.keys(mend.params({ id: 1, server_id: 2, project_id: 3 })).sort(), parameters.sort());
    }
  });
});

describe("attention", () => {
  test("has no item when nothing is wrong", async () => {
    await stage.world.monitor();
    await stage.world.deployment({ status: 1 });
    await stage.world.deployment({ status: 3 });
    assert.deepEqual(await items(), []);
  });

  test("keeps the last failed deployment of a project until one succeeds", async () => {
    const id = await project();
    const first = await stage.world.deployment({ status: 2, projectId: id });
    assert.deepEqual(await keys(), [`deployment_failed:${first}`]);
    const second = await stage.world.deployment({ status: 2, projectId: id });
    assert.deepEqual(await keys(), [`deployment_failed:${second}`]);
    await stage.world.deployment({ status: 5, projectId: id });
    const third = await stage.world.deployment({ status: 3, projectId: id });
    assert.deepEqual(await keys(), [`deployment_failed:${second}`]);
    await run(sql`update deployments set status = 1, ended_at = now() where id = ${third}`);
    assert.deepEqual(await keys(), []);
    const [last] = (await announced()).slice(-1);
    assert.deepEqual([last.noun, last.id, last.project_id], ["deployment", second, id]);
  });

  test("announces what begins and ends to need it", async () => {
    const server = await makers.server_unreachable();
    await run(sql`update servers set connection_error = 'Still refused' where id = ${server}`);
    await run(sql`update servers set connection_status = 1, connection_error = null where id = ${server}`);
    const monitor = await makers.monitor_down();
    assert.deepEqual(
      (await announced()).map(({ noun, id }) => `${noun} ${id}`),
      [`server ${server}`, `server ${server}`, `monitor ${monitor}`],
    );
  });

  test("has the worst first, then the newest, and chooses by kind and severity", async () => {
    const job = await makers.job_failed();
    const older = await makers.deployment_failed();
    await run(sql`update deployments set ended_at = now() - interval '1 hour' where id = ${older}`);
    const monitor = await makers.monitor_down();
    assert.deepEqual(await keys(), [`monitor_down:${monitor}`, `deployment_failed:${older}`, `job_failed:${job}`]);
    assert.deepEqual(await keys(undefined, "?severity=warning"), [`job_failed:${job}`]);
    assert.deepEqual(await keys(undefined, "?kind=job_failed,monitor_down"), [
      `monitor_down:${monitor}`,
      `job_failed:${job}`,
    ]);
    assert.equal((await stage.ask("GET /api/v1/attention?kind=nothing")).status, 422);
  });

  test("gives the owner of a server ten minutes to run its connect command", async () => {
    const id = await makers.server_not_connected_yet();
    await run(sql`update servers set connecting_since = now() - interval '9 minutes' where id = ${id}`);
    assert.deepEqual(await keys(), []);
    await run(sql`update servers set connecting_since = now() - interval '11 minutes' where id = ${id}`);
    assert.deepEqual(await keys(), [`server_not_connected_yet:${id}`]);
    await run(sql`update servers set connect_at = null where id = ${id}`);
    assert.deepEqual(await keys(), [`server_not_connected:${id}`]);
  });

  test("shows viewers the item without what they may not request", async () => {
    await makers.deployment_failed();
    const [item] = await items(stage.cast.victor);
    assert.deepEqual([item?.operation, item?.label, item?.params], [null, null, null]);
  });
});

describe("a snooze", () => {
  const snooze = (key: string, until: string | null, token?: string) =>
    stage.ask(`POST /api/v1/attention/${key}/snooze`, token, { until });
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  test("hides an item from one member, until it is shown again", async () => {
    const key = `monitor_down:${await makers.monitor_down()}`;
    const until = inHours(1);
    const { status, body } = await snooze(key, until);
    assert.deepEqual([status, body.data], [200, { key, until: until.replace(/Z$/, "000Z") }]);
    assert.deepEqual(await keys(), []);
    assert.deepEqual(await keys(stage.cast.bob), [key]);
    assert.equal((await snooze(key, null)).status, 200);
    assert.deepEqual(await keys(), [key]);
  });

  test("ends at its time", async () => {
    const key = `monitor_down:${await makers.monitor_down()}`;
    await snooze(key, inHours(1));
    await run(sql`update attention_snoozes set until = now()`);
    assert.deepEqual(await keys(), [key]);
  });

  test("ends when it begins again", async () => {
    const monitor = await makers.monitor_down();
    await snooze(`monitor_down:${monitor}`, inHours(1));
    await run(sql`update monitors set current_status = 'up', last_status_changed_at = now() where id = ${monitor}`);
    await run(
      sql`update monitors set current_status = 'down', last_status_changed_at = clock_timestamp() where id = ${monitor}`,
    );
    assert.deepEqual(await keys(), [`monitor_down:${monitor}`]);
  });

  test("is refused for what is not listed, out of reach or not readable, and for other times", async () => {
    const key = `monitor_down:${await makers.monitor_down()}`;
    const until = inHours(1);
    assert.equal((await snooze(key, until, stage.cast.charlie)).status, 404);
    assert.equal((await snooze(key, until, await stage.restricted({}))).status, 404);
    assert.equal((await snooze(key, until, await narrowToken(stage, "project:read"))).status, 404);
    for (const other of ["monitor_down:999", "nothing:1", "monitor_down:0", "monitor_down:1;drop", "__proto__:1"]) {
      assert.equal((await snooze(encodeURIComponent(other), until)).status, 404, other);
    }
    for (const time of ["2020-01-01", "9999-12-31T00:00:00Z", "tomorrow", "2026-99-99", ""]) {
      assert.equal((await snooze(key, time)).status, 422, time);
    }
    assert.deepEqual(await keys(), [key]);
  });
});
