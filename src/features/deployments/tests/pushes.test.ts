import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import type { Delivered, HostedRepository, SentPush } from "../../../../test/git-hosts/host.ts";
import { rows, sql } from "../../../db/sql.ts";
import { periodicTask } from "../../../features.ts";
import { call } from "../../../http/tests/support.ts";
import { ask, createProject, type HostType, openStage, type Stage, sourceOf } from "../../sources/tests/support.ts";
import { staleReason } from "../pushes.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage.close());
afterEach(() => stage.pool.query("delete from projects"));

const types = ["git_host_a", "git_host_b", "git_host_c"] as const;
const commit = (n: number): string => String(n).repeat(40);

interface Target {
  type: HostType;
  projectId: number;
  repository: HostedRepository;
  path: string;
  secret: string;
}

/** A project whose webhook was added to its repository by hand. */
async function target(type: HostType, more: object = {}): Promise<Target> {
  const projectId = await createProject(stage, { type }, more);
  await stage.pool.query("delete from deployments");
  const { webhook } = await sourceOf(stage, projectId);
  const repository = stage.hosts[type].addRepository("acme/shop");
  return { type, projectId, repository, path: new URL(webhook.url).pathname, secret: webhook.secret };
}

const sent = (push: Partial<SentPush> = {}): SentPush => ({
  branch: "main",
  before: commit(1),
  after: commit(2),
  author: "Jane Doe",
  message: "Fix the till\n\nIt was stuck.",
  ...push,
});

const deliveryOf = ({ type, repository, secret, path }: Target, push: Partial<SentPush> = {}): Delivered =>
  stage.hosts[type].dialect.deliver(repository, { id: "1", url: path, secret }, sent(push));

const send = ({ path }: Pick<Target, "path">, { headers, body }: Delivered) =>
  call(stage.app, `POST ${path}`, { headers, body });

const push = (to: Target, what: Partial<SentPush> = {}) => send(to, deliveryOf(to, what));

const queued = (projectId: number) =>
  rows<{ commit_id: string }>(
    stage.pool,
    sql`select commit_id from deployments where project_id = ${projectId} and status = 0 order by id`,
  ).then((found) => found.map((each) => each.commit_id));

for (const type of types) {
  describe(`a push to ${type}`, () => {
    it("queues one deployment of its commit, with its author and message", async () => {
      const to = await target(type);
      const reply = await push(to);
      assert.equal(reply.status, 202, reply.text);
      const deployment = await ask(stage, `GET /api/v1/deployments/${reply.body.deployment_id}`);
      const { commit_id, commit_author, commit_message, description, git_branch, initiated_by, status } =
        deployment.body;
      assert.deepEqual(
        { commit_id, commit_author, commit_message, description, git_branch, initiated_by, status },
        {
          commit_id: commit(2),
          commit_author: "Jane Doe",
          commit_message: "Fix the till",
          description: "Push by Jane Doe",
          git_branch: "main",
          initiated_by: null,
          status: 0,
        },
      );
      assert.match(deployment.body.commit_url, new RegExp(`acme/shop/.*${commit(2)}$`));
      assert.deepEqual(await queued(to.projectId), [commit(2)]);
      const jobs = await rows(stage.pool, sql`select 1 from queue.job where name = 'dispatch-deployments'`);
      assert.ok(jobs.length > 0);
    });

    it("queues none when its delivery is repeated, also many times at once", async () => {
      const to = await target(type);
      const delivery = deliveryOf(to);
      const replies = await Promise.all(Array.from({ length: 10 }, () => send(to, delivery)));
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [...Array(9).fill(200), 202]);
      const again = await send(to, delivery);
      assert.deepEqual([again.status, again.body.deployment_id], [200, null]);
      assert.deepEqual(await queued(to.projectId), [commit(2)]);
    });

    it("queues none for other branches, tags that are not wanted, a deleted branch, or while auto-deploy is off", async () => {
      const to = await target(type);
      for (const what of [{ branch: "next" }, { tag: "refs/tags/main" }, { after: null }]) {
        const reply = await push(to, what);
        assert.deepEqual([reply.status, reply.body.deployment_id], [200, null], reply.text);
      }
      await ask(stage, `PUT /api/v1/projects/${to.projectId}`, { auto_deploy_is_active: false });
      const delivery = deliveryOf(to);
      assert.match((await send(to, delivery)).body.message, /Auto-deploy of the project is off/);
      assert.deepEqual(await queued(to.projectId), []);
      // The same delivery counts when auto-deploy is on: it queued nothing before.
      await ask(stage, `PUT /api/v1/projects/${to.projectId}`, { auto_deploy_is_active: true });
      assert.equal((await send(to, delivery)).status, 202);
    });

    it("queues none when the commit's message asks for that, and deploys a later push with all commits", async () => {
      const to = await target(type);
      for (const message of [
        "Update the changelog [skip ci]",
        "Update docs\n\nOnly words.\n\n[CI skip]",
        "x [no-ci]",
      ]) {
        const reply = await push(to, { message });
        assert.deepEqual([reply.status, reply.body.deployment_id], [200, null], reply.text);
        assert.match(reply.body.message, /The message of the commit says \[(skip ci|CI skip|no-ci)\]\./);
      }
      const later = await push(to, { before: commit(2), after: commit(3), message: "Do not skip the ci [1]" });
      assert.equal(later.status, 202, later.text);
      assert.deepEqual(await queued(to.projectId), [commit(3)]);
    });

    it("is refused unsigned with 401 and wrongly signed with 403, and neither reveals anything about the project", async () => {
      const to = await target(type);
      const delivery = deliveryOf(to);
      const unsigned = await send(to, { ...delivery, headers: { "content-type": "application/json" } });
      assert.equal(unsigned.status, 401);
      assert.match(unsigned.body.message, /not signed/);
      const wrong = await send(
        to,
        stage.hosts[type].dialect.deliver(to.repository, { id: "1", url: "", secret: "no" }, sent()),
      );
      assert.equal(wrong.status, 403);
      const changed = await send(to, { ...delivery, body: delivery.body.replaceAll(commit(2), commit(3)) });
      assert.equal(changed.status, 403);
      for (const { text } of [unsigned, wrong, changed]) assert.ok(!/shop|main|deploy is/i.test(text), text);
      assert.deepEqual(await queued(to.projectId), []);
    });

    it("is refused with the secret of before, once there is a new one", async () => {
      const to = await target(type);
      const reply = await ask(stage, `POST /api/v1/projects/${to.projectId}/source/secret`);
      assert.equal((await push(to)).status, 403);
      assert.equal((await push({ ...to, secret: reply.body.data.webhook.secret })).status, 202);
    });

    it("that comes late does not bring an older commit back", async () => {
      const to = await target(type);
      assert.equal((await push(to, { before: commit(2), after: commit(3), pushedAt: 2_000 })).status, 202);
      const late = await push(to, { before: commit(1), after: commit(2), pushedAt: 1_000 });
      assert.equal(late.status, 200, late.text);
      assert.match(late.body.message, /newer push/);
      assert.deepEqual(await queued(to.projectId), [commit(3)]);
    });

    it("that goes back and forth deploys each time", async () => {
      const to = await target(type);
      const moves = [
        [1, 2],
        [2, 1],
        [1, 2],
        [2, 1],
        [1, 3],
        [3, 2],
      ] as const;
      for (const [n, [from, to_]] of moves.entries()) {
        const reply = await push(to, { before: commit(from), after: commit(to_), pushedAt: 1_000 + n });
        assert.equal(reply.status, 202, `${from} to ${to_}: ${reply.text}`);
      }
      assert.deepEqual(await queued(to.projectId), [2, 1, 2, 1, 3, 2].map(commit));
    });
  });
}

for (const type of types) {
  describe(`a tag that is pushed to ${type}`, () => {
    const tagged = (name: string, more: Partial<SentPush> = {}) => ({
      tag: `refs/tags/${name}`,
      before: null,
      ...more,
    });
    const refused = async (to: Target, what: Partial<SentPush>, message: RegExp) => {
      const reply = await push(to, what);
      assert.deepEqual([reply.status, reply.body.deployment_id], [200, null], reply.text);
      assert.match(reply.body.message, message);
    };

    it("is deployed where it fits the project's pattern, also without auto-deploy, and shown by its deployment", async () => {
      const to = await target(type, { auto_deploy_is_active: 0, deploy_tags: "v*" });
      const annotated = type === "git_host_c" ? {} : { tagObject: commit(9) };
      const reply = await push(to, tagged("v1.2/rc", annotated));
      assert.equal(reply.status, 202, reply.text);
      const { body } = await ask(stage, `GET /api/v1/deployments/${reply.body.deployment_id}`);
      assert.deepEqual(
        [body.git_tag, body.git_branch, body.commit_id, body.commit_message, body.description],
        ["v1.2/rc", "main", commit(2), "Fix the till", "Tag v1.2/rc by Jane Doe"],
      );
      await refused(to, tagged("1.2"), /deploys tags that fit v\*/);
      await refused(to, tagged("v1..2"), /deploys tags that fit v\*/);
      await refused(to, {}, /Auto-deploy of the project is off/);
      await ask(stage, `PUT /api/v1/projects/${to.projectId}`, { deploy_tags: "" });
      await refused(to, tagged("v2"), /deploys no tags/);
      assert.deepEqual(await queued(to.projectId), [commit(2)]);
    });

    it("is deployed once a delivery, and again when it was moved, but not when it was deleted", async () => {
      const to = await target(type, { deploy_tags: "v?" });
      const delivery = deliveryOf(to, tagged("v1"));
      assert.equal((await send(to, delivery)).status, 202);
      assert.deepEqual((await send(to, delivery)).body.deployment_id, null);
      assert.equal((await push(to, tagged("v1", { before: commit(2), after: commit(3) }))).status, 202);
      await refused(to, tagged("v1", { before: commit(3), after: null }), /tag was deleted/);
      // Another tag at the same commit, and a branch with the name of a tag.
      assert.equal((await push(to, tagged("v2", { after: commit(3) }))).status, 202);
      await refused(to, { branch: "v1" }, /not to the branch/);
      assert.deepEqual(await queued(to.projectId), [2, 3, 3].map(commit));
    });

    it("is not deployed when the message of its commit asks for that", async () => {
      const to = await target(type, { deploy_tags: "*" });
      await refused(to, tagged("v1", { message: "Release 1 [skip ci]" }), /\[skip ci\]/);
      assert.deepEqual(await queued(to.projectId), []);
    });
  });
}

it("deploys branch and tag that Bitbucket reports in one delivery", async () => {
  const to = await target("git_host_c", { deploy_tags: "v*" });
  const event = JSON.parse(deliveryOf(to).body);
  const { changes } = event.push;
  const [branch] = changes.filter((change: { new: { name: string } }) => change.new.name === "main");
  changes.push({ ...branch, old: null, new: { ...branch.new, type: "tag", name: "v1" } });
  const body = JSON.stringify(event);
  const signature = `sha256=${createHmac("sha256", to.secret).update(body).digest("hex")}`;
  const headers = { ...deliveryOf(to).headers, "x-hub-signature": signature };
  const reply = await send(to, { headers, body });
  assert.equal(reply.status, 202, reply.text);
  assert.match(reply.body.message, /^2 deployments were queued/);
  assert.deepEqual((await send(to, { headers, body })).body.deployment_id, null);
  const found = await rows(
    stage.pool,
    sql`select git_tag from deployments where project_id = ${to.projectId} order by id`,
  );
  assert.deepEqual(found, [{ git_tag: null }, { git_tag: "v1" }]);
});

describe("the address of a webhook", () => {
  it("is of one project and one type", async () => {
    const to = await target("git_host_a");
    const delivery = deliveryOf(to);
    const elsewhere = [
      to.path.replace("git_host_a", "git_host_c"),
      to.path.replace("git_host_a", "git"),
      to.path.replace("git_host_a", "svn"),
      `${to.path}x`,
      "/api/v1/hooks/git_host_a/x",
    ];
    for (const path of elsewhere) assert.equal((await send({ path }, delivery)).status, 404, path);
    assert.equal((await call(stage.app, `GET ${to.path}`)).status, 405);
    assert.deepEqual(await queued(to.projectId), []);
  });

  it("takes no body that is too large, and reads what is no JSON only when it is signed", async () => {
    const to = await target("git_host_a");
    const large = { ...deliveryOf(to), body: JSON.stringify({ text: "x".repeat(5 * 1024 * 1024) }) };
    const refused = await send(to, large);
    assert.deepEqual([refused.status, refused.body.message.slice(0, 33)], [413, "The body is larger than 5 MiB. Se"]);
    const { headers } = deliveryOf(to);
    const { "x-hub-signature-256": _, ...unsigned } = headers;
    assert.equal((await send(to, { headers: unsigned, body: "{" })).status, 401);
    assert.equal((await send(to, { headers, body: "{" })).status, 403);
    for (const [type, body] of [
      ["application/json", "{"],
      ["application/x-www-form-urlencoded", "payload=%7B"],
    ] as const) {
      const signature = `sha256=${createHmac("sha256", to.secret).update(body).digest("hex")}`;
      const signed = { ...headers, "content-type": type, "x-hub-signature-256": signature };
      assert.equal((await send(to, { headers: signed, body })).status, 422, type);
    }
  });

  it("takes a push of many commits, larger than other bodies may be", async () => {
    const to = await target("git_host_a");
    const event = JSON.parse(deliveryOf(to).body);
    event.commits = Array.from({ length: 2_000 }, (_, n) => ({
      id: commit(3),
      modified: Array(20).fill(`file-${n}.txt`),
    }));
    event.commits.push({ id: commit(2), message: "x".repeat(1_000_000) });
    const body = JSON.stringify(event);
    assert.ok(body.length > 1024 * 1024);
    const signature = `sha256=${createHmac("sha256", to.secret).update(body).digest("hex")}`;
    const headers = { ...deliveryOf(to).headers, "x-hub-signature-256": signature };
    assert.equal((await send(to, { headers, body })).status, 202);
  });

  it("answers a ping", async () => {
    const to = await target("git_host_a");
    const delivery = deliveryOf(to);
    const ping = { ...delivery, headers: { ...delivery.headers, "x-github-event": "ping" } };
    const reply = await send(to, ping);
    assert.deepEqual([reply.status, reply.body.deployment_id], [200, null]);
  });
});

describe("a push to a plain git server", () => {
  const plain = async () => {
    const id = await createProject(stage, { type: "git", repo: "https://git.example.com/shop.git" });
    await stage.pool.query("delete from deployments");
    const { webhook } = await sourceOf(stage, id);
    return { id, path: new URL(webhook.url).pathname, secret: webhook.secret as string };
  };
  const body = JSON.stringify({ ref: "refs/heads/main", before: commit(1), after: commit(2), author: "Jane Doe" });

  it("is accepted from any sender that has the secret address, once a commit", async () => {
    const { id, path } = await plain();
    const first = await call(stage.app, `POST ${path}`, { body });
    assert.equal(first.status, 202, first.text);
    assert.equal((await call(stage.app, `POST ${path}`, { body })).status, 200);
    assert.deepEqual(await queued(id), [commit(2)]);
  });

  it("deploys each time that the branch goes back and forth, and not when one of these is sent again", async () => {
    const { id, path } = await plain();
    const tell = (before: number, after: number) => {
      const body = JSON.stringify({ ref: "refs/heads/main", before: commit(before), after: commit(after) });
      return call(stage.app, `POST ${path}`, { body });
    };
    assert.equal((await tell(1, 2)).status, 202);
    assert.equal((await tell(2, 1)).status, 202);
    assert.equal((await tell(2, 1)).status, 200);
    assert.equal((await tell(1, 2)).status, 202);
    assert.equal((await tell(1, 2)).status, 200);
    assert.deepEqual(await queued(id), [commit(2), commit(1), commit(2)]);
  });

  it("queues none when the message that it has asks for that", async () => {
    const { id, path } = await plain();
    const reply = await call(stage.app, `POST ${path}`, {
      body: JSON.stringify({ ...JSON.parse(body), message: "Fix a comma [skip longshore]" }),
    });
    assert.equal(reply.status, 200, reply.text);
    assert.match(reply.body.message, /\[skip longshore\]/);
    assert.deepEqual(await queued(id), []);
  });

  it("deploys a tag of the project's pattern, whose commit its server finds", async () => {
    const { id, path } = await plain();
    await ask(stage, `PUT /api/v1/projects/${id}`, { deploy_tags: "release-*" });
    const tag = (before: number | null, after: number) => ({
      body: JSON.stringify({ ref: "refs/tags/release-1", before: before && commit(before), after: commit(after) }),
    });
    assert.equal((await call(stage.app, `POST ${path}`, tag(null, 2))).status, 202);
    assert.equal((await call(stage.app, `POST ${path}`, tag(null, 2))).status, 200);
    assert.equal((await call(stage.app, `POST ${path}`, tag(2, 3))).status, 202);
    assert.deepEqual(await queued(id), [commit(2), commit(3)]);
  });

  it("has to be signed rightly where it is signed", async () => {
    const { path, secret } = await plain();
    const sign = (key: string) => ({
      "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
    });
    assert.equal((await call(stage.app, `POST ${path}`, { body, headers: sign("no") })).status, 403);
    assert.equal((await call(stage.app, `POST ${path}`, { body, headers: sign(secret) })).status, 202);
  });
});

describe("the order of pushes", () => {
  const at = (before: number, after: number, seconds?: number) => ({
    kind: "branch" as const,
    name: "main",
    before: commit(before),
    after: commit(after),
    commit: commit(after),
    author: null,
    message: null,
    skipMark: null,
    pushedAt: seconds === undefined ? null : new Date(seconds * 1_000),
  });
  const now = new Date("2026-03-02T10:00:00Z");
  const taken = (before: number, after: number, seconds?: number, received_at = "2026-03-02T09:59:00.000000Z") => ({
    before_commit: commit(before),
    after_commit: commit(after),
    pushed_at: seconds === undefined ? null : new Date(seconds * 1_000).toISOString(),
    received_at,
  });

  it("is detected by the host's time where there is one, and else by the chain", () => {
    assert.equal(staleReason(at(1, 2), [], now), undefined);
    assert.equal(staleReason(at(2, 3, 10), [taken(1, 2, 10)], now), undefined);
    assert.match(staleReason(at(1, 2, 9), [taken(3, 4, 10)], now) ?? "", /newer/);
    assert.match(staleReason(at(1, 2), [taken(3, 4), taken(2, 3)], now) ?? "", /newer/);
    assert.match(staleReason(at(1, 2), [taken(1, 2)], now) ?? "", /already/);
    // A forced push from a commit that was never reported, also to the commit that was last received.
    assert.equal(staleReason(at(8, 9), [taken(3, 4), taken(2, 3)], now), undefined);
    assert.equal(staleReason(at(8, 2), [taken(1, 2)], now), undefined);
  });

  it("is detected by the chain within a second", () => {
    assert.match(staleReason(at(1, 2, 10), [taken(2, 3, 10)], now) ?? "", /newer/);
    assert.equal(staleReason(at(2, 1, 10), [taken(1, 2, 10)], now), undefined);
  });

  it("is recognized by the chain of a day: no push is late by more", () => {
    const [yesterday, before] = ["2026-03-01T10:01:00.000000Z", "2026-03-01T09:59:00.000000Z"];
    assert.match(staleReason(at(9, 1), [taken(1, 2, undefined, yesterday)], now) ?? "", /newer/);
    assert.equal(staleReason(at(9, 1), [taken(1, 2, undefined, before)], now), undefined);
  });
});

describe("what is remembered of deliveries", () => {
  const forget = async () => {
    await periodicTask(stage.ctx, "delete-old-deliveries").work(new AbortController().signal);
  };
  const age = async (days: number) => {
    for (const table of ["hook_deliveries", "pushes"]) {
      await stage.pool.query(`update ${table} set received_at = now() - make_interval(days => $1)`, [days]);
    }
  };

  it("is deleted after a year, but for the newest push: what is older than it is not deployed, whenever it comes", async () => {
    const to = await target("git_host_a");
    const first = deliveryOf(to, { pushedAt: 1_000 });
    assert.equal((await send(to, first)).status, 202);
    assert.equal((await push(to, { before: commit(2), after: commit(3), pushedAt: 2_000 })).status, 202);
    await age(364);
    await forget();
    assert.match((await send(to, first)).body.message, /received before/);
    await age(366);
    await forget();
    assert.deepEqual(await rows(stage.pool, sql`select 1 from hook_deliveries`), []);
    assert.deepEqual(await rows(stage.pool, sql`select after_commit from pushes`), [{ after_commit: commit(3) }]);
    assert.match((await send(to, first)).body.message, /newer push/);
    assert.deepEqual(await queued(to.projectId), [commit(2), commit(3)]);
  });
});

beforeEach(() => {
  for (const host of Object.values(stage.hosts)) host.repositories.clear();
});
