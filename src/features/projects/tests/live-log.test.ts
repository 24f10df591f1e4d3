import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { type SshServer, sshServer } from "../../../../test/ssh-server.ts";
import { routesOf } from "../../../features.ts";
import { Hosts } from "../../../host/ssh/hosts.ts";
import { buildApp } from "../../../http/app.ts";
import { call } from "../../../http/tests/support.ts";
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
const time = "2026-03-01T10:20:30.123456Z";
const piece = (at: number, ...lines: string[]) =>
  `0\n${lines.map((line) => `1772360430123456 ${line}\n`).join("")}-- cursor: ${cursor(at)}\n`;

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
    const shown = "line 1 with ********";
    const data = JSON.stringify({ lines: [shown], left_out: 0, entries: [{ at: time, text: shown }] });
    assert.equal(
      text.slice(0, text.indexOf("\n\n", 20) + 2),
      `retry: 3000\n\nid: s=0f;i=1;b=7\nevent: lines\ndata: ${data}\n\n`,
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

  it("may be of the web server, from a place in its file", async () => {
    const place = "file=12;offset=345";
    answer = () => `0\n1772360430000000 GET /\n- continued\n-- cursor: ${place}\n`;
    for (const type of ["access", "error"]) {
      const following = await follow({ "last-event-id": cursor(9) }, `${path}?type=${type}`);
      const text = await following.until(/"text":"continued"}/);
      following.stop();
      assert.match(
        text,
        /id: file=12;offset=345\nevent: lines\n.*"at":"2026-03-01T10:20:30.000000Z","text":"GET \/"},{"at":null/,
      );
      assert.ok(!asked.some((command) => command.includes("i=9")), "a place in the journal is none in a file");
      (await follow({ "last-event-id": place }, `${path}?type=${type}`)).stop();
      assert.match(asked.at(-1) ?? "", new RegExp(`/logs/${type}\\.log .*file=12;offset=345`));
      asked = [];
    }
  });

  it("has the lines that contain a text once they are masked, so that no secret is found", async () => {
    const lines = [`password ${secret}`, "Password of another", "nothing"];
    answer = () => piece(1, ...lines);
    const found = async (q: string) => {
      const query = `type=php&q=${encodeURIComponent(q)}`;
      const { body } = await call(app, `GET ${path.replace("/stream", "")}?${query}`, { token: stage.cast.alice });
      const following = await follow({}, `${path}?${query}`);
      const followed = body.data.lines.length > 0 ? await following.until(/event: lines/) : following.text();
      following.stop();
      assert.equal(/event: lines/.test(followed), body.data.lines.length > 0);
      return body.data.lines;
    };
    assert.deepEqual(await found("PASSWORD"), ["password ********", "Password of another"]);
    assert.deepEqual(await found(secret.slice(0, 5)), []);
    assert.equal((await found("")).length, 3);
  });

  it("begins at a time", async () => {
    answer = () => `0\n1772360430000000 old\n1772360431000000 new\n-- cursor: file=1;offset=2\n`;
    const read = async (query: string) => {
      const reply = await call(app, `GET ${path.replace("/stream", "")}?type=access&${query}`, {
        token: stage.cast.alice,
      });
      return reply.status === 200 ? reply.body.data.lines : reply.status;
    };
    assert.deepEqual(await read("since=2026-03-01T10:20:31Z"), ["new"]);
    assert.deepEqual(await read("since=2026-03-01"), ["old", "new"]);
    assert.deepEqual(await read("since=2s"), []);
    assert.deepEqual(await read("since=9999d"), ["old", "new"]);
    for (const since of ["yesterday", "2026-13-01T00:00:00Z", "1w", "999999d", "2026-03-01T10:20:31"])
      assert.equal(await read(`since=${since}`), 422, since);
    const following = await follow({}, `${path}?type=error&since=2026-03-01T10:20:31Z`);
    assert.ok(!(await following.until(/"new"/)).includes('"old"'));
    following.stop();
  });

  it("is hidden from strangers", async () => {
    assert.equal((await follow({ authorization: `Bearer ${stage.cast.charlie}` })).status, 404);
    assert.deepEqual(asked, []);
  });
});
