import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { Run } from "../../../engine/runs/queries.ts";
import { call } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { installSecrets } from "../../certificates/installation.ts";
import { publishKind } from "../../site-records/schema.ts";
import { siteTarget } from "../../sites/target.ts";
import {
  createPreparedProject,
  createProject,
  openStage,
  playServers,
  readProject,
  type Stage,
  update,
} from "./support.ts";

let stage: Stage;
let stop: () => Promise<void> = async () => {};
let runs: Run[] = [];

before(async () => {
  stage = await openStage({ answerWithinSeconds: "60" });
});

afterEach(async () => {
  await stop();
  stop = async () => {};
});

after(() => stage?.close());

async function play(facts: Record<string, string> = {}): Promise<void> {
  runs = [];
  stop = await playServers(stage, (run) => {
    runs.push(run);
    return { facts, output: "test is successful\n" };
  });
}

const scriptOf = (run: Run | undefined): string => run?.plan.steps[0]?.script ?? "";

describe("settings of the site", () => {
  test("are stored, shown and published at once", async () => {
    const id = await createPreparedProject(stage);
    await play();
    const { status, body } = await update(stage, id, {
      max_upload_mb: 250,
      hsts_is_enabled: true,
      trusted_proxies: ["10.0.0.0/8", "2001:db8::1"],
    });
    assert.equal(status, 200);
    assert.match(body.message, /the web server follows it/);
    const project = await readProject(stage, id);
    assert.deepEqual(
      [project.max_upload_mb, project.hsts_is_enabled, project.trusted_proxies],
      [250, true, ["10.0.0.0/8", "2001:db8::1"]],
    );
    assert.match(scriptOf(runs[0]), /client_max_body_size 250m;[\s\S]*set_real_ip_from 10.0.0.0\/8;/);
  });

  test("decide about unknown addresses of a static site, with its release or for it", async () => {
    const id = await createPreparedProject(stage, { framework_id: 9 });
    const fallback = async (spa_fallback: boolean | null) => {
      await play();
      assert.match((await update(stage, id, { spa_fallback })).body.message, /the web server follows it/);
      const script = scriptOf(runs[0]);
      await stop();
      return [".longshore/pages) { return 404; }", "location @application"].map((text) => script.includes(text));
    };
    assert.deepEqual(await fallback(true), [false, true]);
    assert.deepEqual(await fallback(false), [false, false]);
    assert.deepEqual(await fallback(null), [true, true]);
  });

  test("the drain time is stored without a publication, within its bounds", async () => {
    const id = await createPreparedProject(stage);
    await play();
    assert.equal((await readProject(stage, id)).drain_timeout_seconds, 30);
    assert.equal((await update(stage, id, { drain_timeout_seconds: 900 })).status, 200);
    assert.equal((await readProject(stage, id)).drain_timeout_seconds, 900);
    assert.deepEqual(runs, []);
    for (const drain_timeout_seconds of [0, 901, 1.5, null]) {
      const { status, body } = await update(stage, id, { drain_timeout_seconds });
      assert.deepEqual([status, Object.keys(body.errors)], [422, ["drain_timeout_seconds"]]);
    }
  });

  test("the build cache and the bound of kept releases are stored without a publication", async () => {
    const id = await createPreparedProject(stage);
    await play();
    const stored = async () => {
      const { build_cache, kept_releases_mb, disk } = await readProject(stage, id);
      return [build_cache, kept_releases_mb, disk];
    };
    assert.deepEqual(await stored(), [true, 5_000, null]);
    assert.equal((await update(stage, id, { build_cache: false, kept_releases_mb: 100 })).status, 200);
    assert.deepEqual([await stored(), runs], [[false, 100, null], []]);
    assert.equal((await update(stage, id, { kept_releases_mb: 99 })).status, 422);
  });

  test("files that the application has written get lost only if the project lets them", async () => {
    const id = await createPreparedProject(stage);
    const stored = async () => (await readProject(stage, id)).discard_written_files;
    assert.equal(await stored(), false);
    for (const discard_written_files of [1, false, true]) {
      assert.equal((await update(stage, id, { discard_written_files })).status, 200);
      assert.equal(await stored(), Boolean(discard_written_files));
    }
    assert.equal((await update(stage, id, { discard_written_files: "yes" })).status, 422);
  });

  test("the build cache is cleared on the project's server, by one run for requests at once", async (t) => {
    const id = await createPreparedProject(stage);
    const held = Promise.withResolvers<void>();
    runs = [];
    stop = await playServers(stage, async (run) => {
      runs.push(run);
      await held.promise;
      return {};
    });
    const waiting = t.mock.method(stage.ctx.listener, "listen");
    const clear = (token: string) => call(stage.app, `DELETE /api/v1/projects/${id}/build-cache`, { token });
    const answering = Promise.all([clear(stage.cast.alice), clear(stage.cast.alice)]);
    assert.ok(await pollUntil(() => waiting.mock.callCount() >= 2, { timeoutMs: 30_000 }), "both wait for a run");
    held.resolve();
    assert.deepEqual(
      (await answering).map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual([runs.map(({ kind }) => kind), runs[0]?.subject_id], [["build-cache"], id]);
    assert.equal((await clear(stage.cast.victor)).status, 403);
    const uninstalled = await createProject(stage);
    const refused = await call(stage.app, `DELETE /api/v1/projects/${uninstalled}/build-cache`, {
      token: stage.cast.alice,
    });
    assert.equal(refused.status, 422);
  });

  test("trust the load balancers of the organization, and no other's", async () => {
    const insert = (organization: number, address: string) =>
      stage.pool.query(
        `insert into servers (organization_id, name, server_os, server_type, public_ip, ssh_public_key, ssh_private_key)
         values ($1, 'balancer', 'debian_12', 4, $2, '', '')`,
        [organization, address],
      );
    const other = await stage.pool.query("insert into organizations (name) values ('Other') returning id");
    await insert(stage.cast.organizationId, "192.0.2.10");
    await insert(other.rows[0].id, "192.0.2.20");
    const id = await createPreparedProject(stage);
    await play();
    await update(stage, id, { max_upload_mb: 1 });
    assert.match(scriptOf(runs[0]), /set_real_ip_from 192.0.2.10;/);
    assert.doesNotMatch(scriptOf(runs[0]), /192.0.2.20/);
  });

  test("are refused with every bad one named", async () => {
    const id = await createPreparedProject(stage);
    const { status, body } = await update(stage, id, {
      max_upload_mb: 0,
      trusted_proxies: ["10.0.0.0/33; evil"],
      basic_auth: { username: "a:b", password: "short" },
    });
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors).toSorted(), [
      "basic_auth.password",
      "basic_auth.username",
      "max_upload_mb",
      "trusted_proxies",
    ]);
    const comment = await update(stage, id, { basic_auth: { username: "#ali", password: "open sesame" } });
    assert.deepEqual(Object.keys(comment.body.errors), ["basic_auth.username"]);
  });
});

describe("the password of a site", () => {
  const hashOf = async (id: number) =>
    (await stage.pool.query("select basic_auth_hash from sites where project_id = $1", [id])).rows[0].basic_auth_hash;
  const secretsFor = async (run: Run) =>
    (await siteTarget(stage.ctx).secrets?.({ ...publishKind, subjectId: run.subject_id, serverId: 0 }, run))?.files;

  test("travels as a hash among the run's secrets, and is stored encrypted and never shown", async () => {
    const id = await createPreparedProject(stage);
    await play();
    await update(stage, id, { basic_auth: { username: "ali", password: "open sesame" } });
    const text = stage.ctx.secrets.decrypt(await hashOf(id));
    assert.match(text, /^ali:\$6\$\S+\n$/);
    const run = runs[0] as Run;
    assert.deepEqual(await secretsFor(run), { "basic-auth": text });
    const order = { subjectId: 0, data: { projectId: id, isUploaded: false } };
    assert.deepEqual((await installSecrets(stage.ctx, order)).files, { "basic-auth": text });
    assert.doesNotMatch(JSON.stringify(runs[0]), /open sesame|\$6\$/);
    const record = JSON.stringify(await readProject(stage, id));
    assert.match(record, /"basic_auth_user":"ali"/);
    assert.doesNotMatch(record, /\$6\$|basic_auth_hash/);
  });

  test("is published again when it changes, and goes with null", async () => {
    const id = await createPreparedProject(stage);
    await play();
    for (const password of ["the first one", "the first one"]) {
      await update(stage, id, { basic_auth: { username: "ali", password } });
    }
    await update(stage, id, { name: "Renamed" });
    assert.equal(runs.length, 2);
    await update(stage, id, { basic_auth: null });
    assert.equal(await hashOf(id), null);
    assert.doesNotMatch(scriptOf(runs[2]), /auth_basic_user_file/);
    assert.deepEqual(await secretsFor(runs[2] as Run), {});
  });
});

describe("an edit by hand that a publication found", () => {
  test("is in the project's record", async () => {
    const id = await createPreparedProject(stage);
    assert.equal((await readProject(stage, id)).web_server_drift, null);
    await play({ web_server_drift: "/etc/nginx/kept" });
    await update(stage, id, { max_upload_mb: 5 });
    const { found_at, file, kept_as } = (await readProject(stage, id)).web_server_drift;
    assert.match(found_at, /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual([file, kept_as], [`/etc/nginx/sites-available/longshore-project-${id}.conf`, "/etc/nginx/kept"]);
  });
});

describe("a web server that does not answer in time", () => {
  before(async () => {
    await stage.close();
    stage = await openStage({ answerWithinSeconds: "1" });
  });

  test("is waited for no longer than requests may wait for a server", { timeout: 10_000 }, async () => {
    const id = await createPreparedProject(stage);
    const { status, body } = await update(stage, id, { basic_auth: { username: "ali", password: "open sesame" } });
    assert.equal(status, 200);
    assert.match(body.message, /will follow as soon as it can/);
    assert.equal((await readProject(stage, id)).basic_auth_user, "ali");
  });
});
