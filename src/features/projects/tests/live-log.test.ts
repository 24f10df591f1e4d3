import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { type SshServer, sshServer } from "../../../../test/ssh-server.ts";
import { routesOf } from "../../../features.ts";
import { Hosts } from "../../../host/ssh/hosts.ts";
import { buildApp } from "../../../http/app.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { authenticator } from "../../accounts/authenticator.ts";
import { addProject, addProvisioned, openStage, type Stage } from "../../servers/tests/support.ts";

// Who may follow a log, for how long, and what happens with arbitrary output of a server; test/e2e/processes has real journals.

let stage: Stage;
let server: SshServer;
let hosts: Hosts;
let app: FastifyInstance;
let origin: string;
let path: string;
let projectId: number;
const secret = "a-secret-of-the-project";
/** The server's answer to each query, and the queries. */
let answer: () => string;
let asked: string[];

const cursor = (at: number) => `s=0f;i=${at};b=7`;
const piece = (at: number, ...lines: string[]) =>
  `0\n${lines.map((line) => `${line}\n`).join("")}-- cursor: ${cursor(at)}\n`;

before(async () => {
  stage = await openStage();
  server = await sshServer({
    exec: (command, channel) => {
      asked.push(command);
      channel.write(answer());
      channel.exit(0);
      channel.end();
    },
  });
  hosts = new Hosts({ lookUp: async () => server.address, pin: async () => {}, connectTimeoutMs: 5_000 });
  const ctx = { ...stage.ctx, hosts };
  app = buildApp(ctx, routesOf(), authenticator(ctx));
  origin = await app.listen({ host: "127.0.0.1", port: 0 });
});
after(async () => {
  await app?.close();
  await hosts?.close();
  server?.close();
  await stage?.close();
});
beforeEach(async () => {
  projectId = await addProject(stage.pool, await addProvisioned(stage));
  const variables = stage.ctx.secrets.encrypt(`SECRET=${secret}\n`);
  await stage.pool.query("update projects set environment_variables = $2 where id = $1", [projectId, variables]);
  path = `/api/v1/projects/${projectId}/logs/stream`;
  asked = [];
  answer = () => piece(1, "a line");
});

interface Following {
  status: number;
  text: () => string;
  hasEnded: () => boolean;
  until: (what: RegExp) => Promise<string>;
  stop: () => void;
}

async function follow(headers: Record<string, string> = {}, at = path): Promise<Following> {
  const stopping = new AbortController();
  const authorization = `Bearer ${stage.cast.alice}`;
  const response = await fetch(`${origin}${at}`, { headers: { authorization, ...headers }, signal: stopping.signal });
  let text = "";
  let hasEnded = false;
  const reading = (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  })();
  reading
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true;
    });
  const until = async (what: RegExp): Promise<string> => {
    assert.ok(await pollUntil(() => what.test(text), { timeoutMs: 30_000 }), `${what} is not in ${text}`);
    return text;
  };
  return { status: response.status, text: () => text, hasEnded: () => hasEnded, until, stop: () => stopping.abort() };
}

const ended = async (following: Following): Promise<void> =>
  assert.ok(await pollUntil(following.hasEnded, { timeoutMs: 30_000 }), "it ended");

describe("a log that is followed", () => {
  it("shows what is new, masked, from where it was", async () => {
    let at = 0;
    answer = () => piece(++at, `line ${at} with ${secret}`);
    const following = await follow();
    const text = await following.until(/line 3/);
    following.stop();
    assert.match(
      text,
      /^retry: 3000\n\nid: s=0f;i=1;b=7\nevent: lines\ndata: {"lines":\["line 1 with \*{8}"\],"left_out":0}\n\n/,
    );
    assert.ok(!text.includes(secret));
    assert.match(asked[0] ?? "", /--lines=50/);
    assert.match(asked[1] ?? "", /--after-cursor=.*i=1;b=7/);
  });

  it("resumes at the place of its last event, and at no other text", async () => {
    (await follow({ "last-event-id": cursor(9) })).stop();
    (await follow({ "last-event-id": "--file=/etc/shadow" })).stop();
    assert.match(asked[0] ?? "", /--after-cursor=.*i=9;b=7/);
    assert.match(asked.at(-1) ?? "", /--lines=50/);
  });

  it("ends when the membership changes", async () => {
    const following = await follow();
    await following.until(/a line/);
    const changed =
      "update memberships set restricted = true where user_id = (select id from users where name = 'Alice')";
    await stage.pool.query(changed);
    await ended(following);
    const { length } = asked;
    await stage.pool.query(changed.replace("true", "false"));
    assert.ok(!following.text().includes("unavailable"));
    assert.ok(asked.length - length <= 1, "nothing is asked for it any more");
  });

  it("reports a server that does not answer any more, or answers with something else", async () => {
    const following = await follow();
    answer = () => "no number\n";
    await following.until(/event: unavailable\ndata: {"message":"The log could not be read on the server\."}/);
    await ended(following);
    assert.equal((await follow()).status, 503);
    answer = () => "x".repeat(2 << 20);
    assert.equal((await follow()).status, 503);
    answer = () => piece(1, "again");
    const next = await follow();
    await next.until(/again/);
    next.stop();
  });

  it("is followed by eight at a time for each server", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => follow()));
    assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
    assert.equal((await follow()).status, 429);
    all[0]?.stop();
    const next = async () => {
      const following = await follow();
      return following.status === 200 && following;
    };
    const following = await pollUntil(next, { timeoutMs: 30_000, everyMs: 100 });
    assert.ok(following);
    for (const each of [...all, following]) each.stop();
  });

  it("is hidden from strangers", async () => {
    assert.equal((await follow({ authorization: `Bearer ${stage.cast.charlie}` })).status, 404);
    assert.deepEqual(asked, []);
  });
});
