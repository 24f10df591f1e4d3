import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { outsideQueue } from "../../../engine/reconcile/reconcile.ts";
import { periodicTask } from "../../../features.ts";
import { call } from "../../../http/tests/support.ts";
import { addProvisioned, errorsOf } from "../../servers/tests/support.ts";
import { sourceKind } from "../source.ts";
import {
  ask,
  connect,
  createProject,
  follow,
  type HostType,
  keyOf,
  lookAfter,
  makeDue,
  openStage,
  publicUrl,
  registeredProject,
  reportKey,
  type Stage,
  sourceOf,
} from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage.close());
beforeEach(() => {
  for (const host of Object.values(stage.hosts)) {
    host.repositories.clear();
    host.addRepository("acme/shop");
    host.requests.length = 0;
    host.troubles.length = 0;
    host.renamed.clear();
  }
});
afterEach(async () => {
  await stage.pool.query("delete from projects");
  await stage.pool.query("delete from source_providers");
  await stage.pool.query("delete from targets where kind = $1", [sourceKind.kind]);
});

/** The waiting jobs of the project's target: for each, whether it is due. */
const waitingJobs = async (projectId: number): Promise<boolean[]> =>
  (
    await rows<{ is_due: boolean }>(
      stage.pool,
      sql`
        select j.start_after <= now() as is_due from queue.job j
        join targets t on t.id = (j.data ->> 'targetId')::bigint
        where t.kind = ${sourceKind.kind} and t.subject_id = ${projectId} and j.name = ${outsideQueue} and j.state = 'created'
      `,
    )
  ).map((job) => job.is_due);

const forgetJobs = () => stage.pool.query("delete from queue.job where name = $1", [outsideQueue]);

const at = (type: HostType, path = "acme/shop") => stage.hosts[type].repositories.get(path) ?? assert.fail(path);
const left = () => rows<{ state: string }>(stage.pool, sql`select state from source_registrations`);
const types = ["git_host_a", "git_host_b", "git_host_c"] as const;

describe("a project without a connected account", () => {
  it("shows key, address and secret, which are stored encrypted", async () => {
    const id = await createProject(stage, { type: "git_host_a" });
    assert.deepEqual((await sourceOf(stage, id)).deploy_key, { public_key: null, is_registered: false, error: null });
    const key = await reportKey(stage, id);
    await follow(stage, id);
    const source = await sourceOf(stage, id);
    assert.deepEqual(source.deploy_key, { public_key: key, is_registered: false, error: null });
    assert.equal(source.provider, null);
    assert.match(source.webhook.url, new RegExp(`^${publicUrl}/api/v1/hooks/git_host_a/[\\w-]{32}$`));
    assert.match(source.webhook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual([source.webhook.is_registered, source.webhook.error], [false, null]);
    assert.deepEqual(source, await sourceOf(stage, id));
    const [row] = await rows<{ text: string }>(
      stage.pool,
      sql`select project_sources::text as text from project_sources`,
    );
    for (const hidden of [source.webhook.secret, source.webhook.url.split("/").at(-1)]) {
      assert.ok(!row?.text.includes(Buffer.from(hidden).toString("hex")) && !row?.text.includes(hidden));
    }
    assert.deepEqual(stage.hosts.git_host_a.requests, []);
    assert.equal((await ask(stage, `POST /api/v1/projects/${id}/source/register`)).status, 422);
  });

  it("shows the secret to those who may change the project alone", async () => {
    const id = await createProject(stage, { type: "git_host_a" });
    const { victor, charlie, bob } = stage.cast;
    const line = `GET /api/v1/projects/${id}/source`;
    assert.equal((await ask(stage, line, undefined, victor)).status, 403);
    assert.equal((await ask(stage, line, undefined, charlie)).status, 404);
    assert.equal((await ask(stage, line, undefined, bob)).status, 200);
  });
});

describe("a project with a connected account", () => {
  for (const type of types) {
    it(`is registered at ${type}: key and webhook, once`, async () => {
      await connect(stage, type);
      const id = await registeredProject(stage, type);
      const source = await sourceOf(stage, id);
      assert.equal(source.provider.provider_type, type);
      assert.deepEqual(
        at(type).keys.map((key) => key.key.split(" ")[1]),
        [keyOf(id).split(" ")[1]],
      );
      assert.deepEqual(
        at(type).hooks.map(({ url, secret }) => ({ url, secret })),
        [{ url: source.webhook.url, secret: source.webhook.secret }],
      );
      stage.hosts[type].requests.length = 0;
      await follow(stage, id);
      assert.deepEqual(stage.hosts[type].requests, [], "What is registered is not sent again.");
    });

    it(`reports tags from ${type} once it deploys some`, async () => {
      await connect(stage, type);
      const id = await registeredProject(stage, type);
      await ask(stage, `PUT /api/v1/projects/${id}`, { deploy_tags: "v*" });
      await follow(stage, id);
      const { hooks } = at(type);
      assert.deepEqual([hooks.length, hooks[0]?.tags], [1, type === "git_host_b" ? true : undefined]);
    });

    it(`is registered at ${type} once, when the answers to it were lost`, async () => {
      await connect(stage, type);
      const id = await createProject(stage, { type });
      await reportKey(stage, id);
      stage.hosts[type].troubles.push({ line: /^POST/, trouble: "no answer" }, { line: /^POST/, trouble: "no answer" });
      await follow(stage, id);
      assert.equal((await sourceOf(stage, id)).webhook.is_registered, false);
      await makeDue(stage);
      await follow(stage, id);
      const source = await sourceOf(stage, id);
      assert.deepEqual([source.deploy_key.is_registered, source.webhook.is_registered], [true, true]);
      assert.deepEqual([at(type).keys.length, at(type).hooks.length], [1, 1]);
    });

    it(`leaves nothing at ${type} when it is deleted`, async () => {
      await connect(stage, type);
      const id = await registeredProject(stage, type);
      assert.equal((await ask(stage, `DELETE /api/v1/project/${id}`)).status, 200);
      await follow(stage, id);
      assert.deepEqual([at(type).keys, at(type).hooks, await left()], [[], [], []]);
    });
  }

  it("is registered when its account is connected after it was made", async () => {
    const id = await createProject(stage, { type: "git_host_a" });
    await reportKey(stage, id);
    await follow(stage, id);
    await forgetJobs();
    await connect(stage, "git_host_a");
    assert.deepEqual(await waitingJobs(id), [true]);
    await follow(stage, id);
    assert.equal((await sourceOf(stage, id)).webhook.is_registered, true);
  });

  it("shows why it could not be registered, and is registered when that has passed", async () => {
    await connect(stage, "git_host_b");
    const id = await createProject(stage, { type: "git_host_b" });
    await reportKey(stage, id);
    stage.hosts.git_host_b.troubles.push(
      { line: /projects/, trouble: { status: 502 } },
      { line: /projects/, trouble: { status: 429, headers: { "retry-after": "30" }, body: "Retry later" } },
    );
    await follow(stage, id);
    const failed = await sourceOf(stage, id);
    assert.match(failed.deploy_key.error, /GitLab answered with an error \(502\)/);
    assert.match(failed.webhook.error, /GitLab asks to wait/);
    await lookAfter(stage);
    assert.equal((await sourceOf(stage, id)).deploy_key.is_registered, false, "not before its time");
    await makeDue(stage);
    await lookAfter(stage);
    const source = await sourceOf(stage, id);
    assert.deepEqual([source.deploy_key.is_registered, source.webhook.is_registered], [true, true]);
    assert.deepEqual([source.deploy_key.error, source.webhook.error], [null, null]);
  });

  it("reports what is missing when the account does not see the repository, and again at once when asked", async () => {
    await connect(stage, "git_host_a");
    const id = await createProject(stage, { type: "git_host_a", repo: "acme/other" });
    await reportKey(stage, id);
    await follow(stage, id);
    assert.match((await sourceOf(stage, id)).deploy_key.error, /did not find the repository acme\/other/);
    stage.hosts.git_host_a.addRepository("acme/other");
    const reply = await ask(stage, `POST /api/v1/projects/${id}/source/register`);
    assert.equal(reply.status, 202, reply.text);
    await follow(stage, id);
    assert.equal((await sourceOf(stage, id)).webhook.is_registered, true);
    // Removed at the host by hand: there is no notification, so the host is polled.
    at("git_host_a", "acme/other").hooks.length = 0;
    await ask(stage, `POST /api/v1/projects/${id}/source/register`);
    await follow(stage, id);
    assert.equal(at("git_host_a", "acme/other").hooks.length, 1);
  });

  it("moves its registrations with its repository, also to another host", async () => {
    await connect(stage, "git_host_a");
    await connect(stage, "git_host_c");
    const id = await registeredProject(stage, "git_host_a");
    stage.hosts.git_host_a.addRepository("acme/new");
    const line = `PUT /api/v1/projects/${id}`;
    assert.equal((await ask(stage, line, { git_repository: { repo: "acme/new" } })).status, 200);
    await follow(stage, id);
    assert.deepEqual([at("git_host_a").keys, at("git_host_a").hooks], [[], []]);
    assert.deepEqual([at("git_host_a", "acme/new").keys.length, at("git_host_a", "acme/new").hooks.length], [1, 1]);
    assert.equal((await ask(stage, line, { git_repository: { repo: "acme/shop", type: "git_host_c" } })).status, 200);
    await follow(stage, id);
    assert.deepEqual([at("git_host_a", "acme/new").keys, at("git_host_a", "acme/new").hooks], [[], []]);
    assert.equal(at("git_host_c").hooks[0]?.url, (await sourceOf(stage, id)).webhook.url);
  });

  it("has its key taken from the former repository first, and nothing refused meanwhile", async () => {
    await connect(stage, "git_host_a");
    const id = await registeredProject(stage, "git_host_a");
    stage.hosts.git_host_a.addRepository("acme/new");
    await ask(stage, `PUT /api/v1/projects/${id}`, { git_repository: { repo: "acme/new" } });
    stage.hosts.git_host_a.troubles.push({ line: /^DELETE .*keys/, trouble: { status: 502 } });
    await lookAfter(stage);
    const waiting = await sourceOf(stage, id);
    assert.deepEqual([waiting.deploy_key.is_registered, waiting.deploy_key.error], [false, null]);
    assert.equal(waiting.webhook.is_registered, true);
    assert.ok(!stage.hosts.git_host_a.requests.includes("POST /repos/acme/new/keys"));
    assert.deepEqual([waiting.sync.state, waiting.sync.retry_at !== null], ["failing", true]);
    await lookAfter(stage);
    assert.equal((await sourceOf(stage, id)).deploy_key.is_registered, false, "not before its time");
    await makeDue(stage);
    await lookAfter(stage);
    assert.equal((await sourceOf(stage, id)).deploy_key.is_registered, true);
    assert.deepEqual([at("git_host_a").keys.length, at("git_host_a", "acme/new").keys.length], [0, 1]);
  });

  it("has its key registered at once when what was in its way for long is gone", async () => {
    await connect(stage, "git_host_a");
    const id = await registeredProject(stage, "git_host_a");
    stage.hosts.git_host_a.addRepository("acme/new");
    await ask(stage, `PUT /api/v1/projects/${id}`, { git_repository: { repo: "acme/new" } });
    stage.hosts.git_host_a.troubles.push({ line: /^DELETE .*keys/, trouble: { status: 403, body: "{}" } });
    await follow(stage, id);
    assert.match((await sourceOf(stage, id)).deploy_key.error, /key is already in use/);
    await follow(stage, id);
    assert.equal((await sourceOf(stage, id)).deploy_key.is_registered, true);
  });

  it("keeps what is one and the same under the former name of its repository and the present one", async () => {
    await connect(stage, "git_host_a");
    const id = await registeredProject(stage, "git_host_a");
    stage.hosts.git_host_a.rename("acme/shop", "acme/store");
    await ask(stage, `PUT /api/v1/projects/${id}`, { git_repository: { repo: "acme/store" } });
    const trouble = { line: /^GET .*acme.shop/, trouble: { status: 403, body: "{}" } };
    stage.hosts.git_host_a.troubles.push(trouble, trouble);
    await follow(stage, id);
    assert.equal((await sourceOf(stage, id)).deploy_key.is_registered, true);
    await makeDue(stage);
    await lookAfter(stage);
    await lookAfter(stage);
    assert.deepEqual(
      [at("git_host_a", "acme/store").keys.length, at("git_host_a", "acme/store").hooks.length, await left()],
      [1, 1, [{ state: "registered" }, { state: "registered" }]],
    );
  });

  it("stays registered when an account whose token has expired gives way to another", async () => {
    const former = await connect(stage, "git_host_a");
    const id = await registeredProject(stage, "git_host_a");
    await ask(stage, `DELETE /api/v1/source-providers/${former}`);
    const trouble = { line: /^GET .*acme/, trouble: { status: 401 } };
    stage.hosts.git_host_a.troubles.push(trouble, trouble);
    await follow(stage, id);
    await connect(stage, "git_host_a");
    await follow(stage, id);
    await makeDue(stage);
    await lookAfter(stage);
    assert.deepEqual(await left(), [{ state: "registered" }, { state: "registered" }]);
    assert.deepEqual([at("git_host_a").keys.length, at("git_host_a").hooks.length], [1, 1]);
    assert.equal((await rows(stage.pool, sql`select 1 from source_providers`)).length, 1);
  });

  it("is not registered where its repository is not", async () => {
    await connect(stage, "git_host_a");
    const id = await createProject(stage, { type: "git_host_a", repo: "https://git.example.com/acme/shop.git" });
    await reportKey(stage, id);
    await follow(stage, id);
    assert.deepEqual(await left(), []);
  });

  it("is registered at no other address of the host's API", async () => {
    await connect(stage, "git_host_a");
    stage.hosts.git_host_a.requests.length = 0;
    const id = await createProject(stage, { type: "git_host_a", repo: "git@github.com:../user" });
    await reportKey(stage, id);
    await follow(stage, id);
    assert.deepEqual([stage.hosts.git_host_a.requests, await left()], [[], []]);
  });

  it("loses its registrations with its account, whose token goes after them", async () => {
    const account = await connect(stage, "git_host_b");
    const id = await registeredProject(stage, "git_host_b");
    assert.equal((await ask(stage, `DELETE /api/v1/source-providers/${account}`)).status, 200);
    assert.deepEqual((await sourceOf(stage, id)).provider, null);
    stage.hosts.git_host_b.troubles.push({ line: /^DELETE/, trouble: { status: 500 } });
    await follow(stage, id);
    assert.equal((await left()).length, 1);
    await makeDue(stage);
    await lookAfter(stage);
    await lookAfter(stage);
    assert.deepEqual([at("git_host_b").keys, at("git_host_b").hooks, await left()], [[], [], []]);
    assert.deepEqual(await rows(stage.pool, sql`select id from source_providers`), []);
  });

  for (const type of ["git_host_a", "git_host_b"] as const) {
    it(`leaves nothing in a repository of ${type} that was renamed`, async () => {
      await connect(stage, type);
      const id = await registeredProject(stage, type);
      stage.hosts[type].rename("acme/shop", "acme/store");
      await ask(stage, `DELETE /api/v1/project/${id}`);
      await follow(stage, id);
      assert.deepEqual([at(type, "acme/store").keys, at(type, "acme/store").hooks, await left()], [[], [], []]);
    });
  }

  it("is forgotten when its repository is gone from the host", async () => {
    await connect(stage, "git_host_a");
    const id = await registeredProject(stage, "git_host_a");
    stage.hosts.git_host_a.repositories.clear();
    await ask(stage, `DELETE /api/v1/project/${id}`);
    await follow(stage, id);
    assert.deepEqual(await left(), []);
  });

  const hindered = [
    ["a token that has expired", { status: 401 }, [3_590, 3_610]],
    ["a limit", { status: 403, body: '{"message":"You have exceeded a secondary rate limit."}' }, [50, 70]],
    ["a permission that is missing", { status: 403, body: '{"message":"Resource not accessible"}' }, [3_590, 3_610]],
  ] as const;
  for (const [why, trouble, [from, to]] of hindered) {
    it(`is removed later where ${why} hindered it`, async () => {
      await connect(stage, "git_host_a");
      const id = await registeredProject(stage, "git_host_a");
      await ask(stage, `DELETE /api/v1/project/${id}`);
      stage.hosts.git_host_a.troubles.push({ line: /^DELETE/, trouble }, { line: /^DELETE/, trouble });
      await follow(stage, id);
      assert.deepEqual(await left(), [{ state: "obsolete" }, { state: "obsolete" }]);
      const [target] = await rows<{ seconds: number }>(
        stage.pool,
        sql`
          select extract(epoch from retry_at - now())::float8 as seconds from targets
          where kind = ${sourceKind.kind} and subject_id = ${id}
        `,
      );
      assert.ok(target && target.seconds > from && target.seconds < to, JSON.stringify(target));
      await makeDue(stage);
      await lookAfter(stage);
      assert.deepEqual([at("git_host_a").keys, at("git_host_a").hooks, await left()], [[], [], []]);
    });
  }

  it("is left at its host when it could not be removed for many days", async () => {
    await connect(stage, "git_host_a");
    const id = await registeredProject(stage, "git_host_a");
    await ask(stage, `DELETE /api/v1/project/${id}`);
    const trouble = { line: /^GET/, trouble: { status: 401 } };
    stage.hosts.git_host_a.troubles.push(trouble, trouble, trouble, trouble);
    await follow(stage, id);
    await stage.pool.query("update source_registrations set obsolete_since = now() - interval '9 days'");
    await makeDue(stage);
    await lookAfter(stage);
    assert.deepEqual(await left(), []);
    assert.deepEqual([at("git_host_a").keys.length, at("git_host_a").hooks.length], [1, 1]);
  });

  it("is forgotten by its host when its server is deleted with it", async () => {
    const own = await addProvisioned(stage);
    await connect(stage, "git_host_a");
    const id = await createProject(stage, { type: "git_host_a" }, { server_id: own });
    await follow(stage, id);
    assert.equal(at("git_host_a").hooks.length, 1);
    assert.equal((await ask(stage, `DELETE /api/v1/servers/${own}`)).status, 200);
    await lookAfter(stage);
    assert.deepEqual([at("git_host_a").hooks, await left()], [[], []]);
  });

  it("goes to the account of the organization that its server was transferred to", async () => {
    const own = await addProvisioned(stage);
    await connect(stage, "git_host_a");
    const { charlieOrganizationId, alice } = stage.cast;
    await stage.pool.query("insert into memberships (user_id, organization_id, role) values ($1, $2, 'Owner')", [
      stage.cast.userIds.alice,
      charlieOrganizationId,
    ]);
    await stage.pool.query("update organizations set plan = 'pro' where id = $1", [charlieOrganizationId]);
    const id = await createProject(stage, { type: "git_host_a" }, { server_id: own });
    await follow(stage, id);
    const { webhook: former } = await sourceOf(stage, id);
    const line = `POST /api/v1/servers/${own}/transfer-organization`;
    const moved = await ask(stage, line, { organization_id: charlieOrganizationId }, alice);
    assert.equal(moved.status, 200, moved.text);
    const commits = { before: "1".repeat(40), after: "2".repeat(40) };
    const { headers, body } = stage.hosts.git_host_a.dialect.deliver(
      at("git_host_a"),
      { id: "1", ...former },
      { branch: "main", ...commits },
    );
    const late = await call(stage.app, `POST ${new URL(former.url).pathname}`, { headers, body });
    assert.equal(late.status, 404, "who knew address and secret deploys nothing by them, at once");
    await lookAfter(stage);
    assert.deepEqual([at("git_host_a").hooks, await left()], [[], []], "the former account serves it no more");
    const asked = await ask(stage, `GET /api/v1/projects/${id}/source`, undefined, stage.cast.charlie);
    const { webhook } = asked.body.data;
    assert.ok(webhook.url !== former.url && webhook.secret !== former.secret);
    const theirs = await connect(stage, "git_host_a", stage.cast.charlie);
    await follow(stage, id);
    const registered = await rows(
      stage.pool,
      sql`select provider_id from source_registrations where state = 'registered'`,
    );
    assert.deepEqual(registered, [{ provider_id: theirs }]);
  });

  it("is registered once by many workers at once", async () => {
    await connect(stage, "git_host_b");
    const id = await createProject(stage, { type: "git_host_b" });
    await reportKey(stage, id);
    await Promise.all(Array.from({ length: 8 }, () => follow(stage, id)));
    assert.deepEqual([at("git_host_b").keys.length, at("git_host_b").hooks.length], [1, 1]);
    assert.equal((await sourceOf(stage, id)).webhook.is_registered, true);
  });

  it("waits in the queue once, however often it is asked for", async () => {
    await connect(stage, "git_host_a");
    const id = await createProject(stage, { type: "git_host_a" });
    await reportKey(stage, id);
    const look = periodicTask(stage.ctx, "reconcile-git-host-registrations");
    await forgetJobs();
    stage.hosts.git_host_a.troubles.push(...Array(2).fill({ line: /repos/, trouble: { status: 502 } }));
    await lookAfter(stage);
    assert.deepEqual(await waitingJobs(id), [false], "both that failed are retried by one job");
    for (let n = 0; n < 3; n += 1) await look.work(new AbortController().signal);
    await ask(stage, `POST /api/v1/projects/${id}/source/register`);
    await ask(stage, `POST /api/v1/projects/${id}/source/secret`);
    assert.deepEqual(await waitingJobs(id), [true]);
  });

  it("is resumed at once by the next worker when one stops in the middle", async () => {
    await connect(stage, "git_host_a");
    const id = await createProject(stage, { type: "git_host_a" });
    const stop = new AbortController();
    stop.abort();
    await follow(stage, id, stop.signal);
    assert.equal((await sourceOf(stage, id)).webhook.is_registered, false);
    await follow(stage, id);
    assert.equal((await sourceOf(stage, id)).webhook.is_registered, true);
  });
});

describe("a new secret", () => {
  it("reaches the host by itself", async () => {
    await connect(stage, "git_host_a");
    const id = await registeredProject(stage, "git_host_a");
    const { webhook: former } = await sourceOf(stage, id);
    const reply = await ask(stage, `POST /api/v1/projects/${id}/source/secret`);
    assert.equal(reply.status, 200, reply.text);
    const { webhook } = reply.body.data;
    assert.notEqual(webhook.secret, former.secret);
    assert.equal(webhook.url, former.url);
    await follow(stage, id);
    assert.deepEqual(
      at("git_host_a").hooks.map((hook) => hook.secret),
      [webhook.secret],
    );
  });

  it("of a plain git server comes with a new address", async () => {
    const id = await createProject(stage, { type: "git", repo: "https://git.example.com/shop.git" });
    const { webhook: former } = await sourceOf(stage, id);
    const { webhook } = (await ask(stage, `POST /api/v1/projects/${id}/source/secret`)).body.data;
    assert.notEqual(webhook.url, former.url);
    assert.notEqual(webhook.secret, former.secret);
  });
});

describe("another type of the repository", () => {
  it("comes with a new address and a new secret of the webhook; another repository of the type with neither", async () => {
    const id = await createProject(stage, { type: "git_host_a" });
    const { webhook: former } = await sourceOf(stage, id);
    const change = async (repository: object) => {
      const reply = await ask(stage, `PUT /api/v1/projects/${id}`, { git_repository: repository });
      assert.equal(reply.status, 200, reply.text);
      return (await sourceOf(stage, id)).webhook;
    };
    assert.deepEqual(await change({ repo: "acme/other" }), former);
    assert.deepEqual(await change({ repo: "acme/shop", type: "git_host_a" }), former);
    const webhook = await change({ repo: "https://git.example.com/shop.git", type: "git" });
    assert.ok(webhook.url !== former.url && webhook.secret !== former.secret);
    const body = { ref: "refs/heads/main", before: "1".repeat(40), after: "2".repeat(40) };
    const token = former.url.split("/").at(-1);
    for (const type of ["git", "git_host_a"]) {
      assert.equal((await call(stage.app, `POST /api/v1/hooks/${type}/${token}`, { body })).status, 404, type);
    }
    assert.equal((await call(stage.app, `POST ${new URL(webhook.url).pathname}`, { body })).status, 202);
  });
});

describe("an account in the place of a git source type", () => {
  it("is used for that project, until a type is set again", async () => {
    const first = await connect(stage, "git_host_a");
    const second = await connect(stage, "git_host_a");
    const id = await createProject(stage, { type: "git", repo: "https://git.example.com/shop.git" });
    const used = async () => (await sourceOf(stage, id)).provider?.id;
    assert.equal(await used(), undefined);
    const set = (type: string) =>
      ask(stage, `PUT /api/v1/projects/${id}`, { git_repository: { type, repo: "acme/shop" } });
    assert.equal((await set(`source_${second}`)).status, 200);
    assert.equal(await used(), second);
    assert.equal((await ask(stage, `GET /api/v1/projects/${id}`)).body.repository_type, "git_host_a");
    await follow(stage, id);
    const providers = await rows(stage.pool, sql`select distinct provider_id from source_registrations`);
    assert.deepEqual(providers, [{ provider_id: second }]);
    assert.equal((await set("git_host_a")).status, 200);
    assert.equal(await used(), first);
  });

  it("has to be one of the organization's", async () => {
    const theirs = await connect(stage, "git_host_a", stage.cast.charlie);
    const id = await createProject(stage, { type: "git_host_a" });
    for (const type of [`source_${theirs}`, "source_999999", "source_x", "svn"]) {
      const reply = await ask(stage, `PUT /api/v1/projects/${id}`, { git_repository: { type } });
      assert.equal(reply.status, 422, type);
      assert.deepEqual(Object.keys(errorsOf(reply)), ["git_repository.type"]);
    }
  });
});

describe("an installation without a public address", () => {
  it("registers keys, and reports why it registers no webhooks", async () => {
    const local = await openStage({});
    try {
      local.hosts.git_host_a.addRepository("acme/shop");
      await connect(local, "git_host_a");
      const id = await createProject(local, { type: "git_host_a" });
      await reportKey(local, id);
      await follow(local, id);
      const source = await sourceOf(local, id);
      assert.equal(source.deploy_key.is_registered, true);
      assert.match(source.webhook.error, /LONGSHORE_PUBLIC_URL is not set/);
      assert.match(source.webhook.url, /^http:\/\/127\.0\.0\.1:8080\//);
    } finally {
      await local.close();
    }
  });
});
