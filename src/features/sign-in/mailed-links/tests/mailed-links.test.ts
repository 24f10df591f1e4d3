import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, rows, sql } from "../../../../db/sql.ts";
import { call } from "../../../../http/tests/support.ts";
import { openSmtpStandIn, type SmtpStandIn } from "../../../../providers/notify/tests/stand-ins.ts";
import { adminUser } from "../../../accounts/admin.ts";
import { browserOf } from "../../../accounts/tests/support.ts";
import { openStage, type Stage } from "../../../servers/tests/support.ts";
import { deleteExpired } from "../../queries.ts";
import { mountSignIn } from "../../routes.ts";
import { mailedLinkJobs } from "../jobs.ts";

const publicUrl = "https://deploy.example.com";
const password = "correct horse battery";
const newPassword = "battery staple horse";
const evil = { host: "evil.example", "x-forwarded-host": "evil.example", origin: publicUrl };

let mail: SmtpStandIn;
let stage: Stage;

before(async () => {
  mail = await openSmtpStandIn();
  stage = await openStage({ smtpUrl: mail.url, publicUrl });
  mountSignIn(stage.app, stage.ctx);
});
after(async () => {
  await stage?.close();
  await mail?.close();
});
beforeEach(async () => {
  for (const table of ["sign_in_attempts", "mailed_links", "queue.job"]) await stage.pool.query(`delete from ${table}`);
  for (const [name, id] of Object.entries(stage.cast.userIds)) {
    await stage.pool.query("update users set email = $1 where id = $2", [`${name}@example.com`, id]);
  }
  await adminUser(stage, { email: "alice@example.com", name: "Alice", password });
  mail.mails.length = 0;
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  call(stage.app, `POST /api/auth/${path}`, {
    body,
    headers: { host: "deploy.example.com", origin: publicUrl, ...headers },
  });
const ask = (email: string, headers = {}) => post("request-password-reset", { email }, headers);
const reset = (token: string, more = {}) => post("reset-password", { token, newPassword, ...more });
const signIn = (given: string, email = "alice@example.com") => post("sign-in/email", { email, password: given });
const isSignedIn = async (headers: Record<string, string>) =>
  (await call(stage.app, "GET /api/v1/me", { headers })).status === 200;

const waiting = () =>
  rows<{ id: string; data: Record<string, unknown> }>(
    stage.pool,
    sql`select id, data from queue.job where name = 'mail-accounts' and state = 'created' order by created_on`,
  );

/** Does what a worker does with the jobs that wait; the mails that were sent. */
async function sendMails() {
  const before = mail.mails.length;
  for (const { id, data } of await waiting()) {
    await stage.pool.query("delete from queue.job where id = $1", [id]);
    await mailedLinkJobs(stage.ctx)[0]?.work(data, new AbortController().signal);
  }
  return mail.mails.slice(before).map(({ to, headers, source }) => {
    const text = source.replace(/=\r\n/g, "").replaceAll("=3D", "=");
    return { to: to[0], subject: headers.subject, text, links: [...text.matchAll(/https?:\/\/[^\s"<]+/g)].map(String) };
  });
}

const tokenIn = (text = ""): string => /#(lsm_[0-9A-Za-z]{40})/.exec(text)?.[1] ?? assert.fail(`No link: ${text}`);

async function resetToken(): Promise<string> {
  await ask("alice@example.com");
  return tokenIn((await sendMails())[0]?.text);
}

describe("a forgotten password", () => {
  it("is replaced by a mailed link, which ends all sessions", async () => {
    const browser = await browserOf(stage.ctx, stage.cast.userIds.alice);
    assert.equal((await ask("Alice@Example.com")).status, 200);
    const [sent] = await sendMails();
    assert.deepEqual([sent?.to, mail.mails.length], ["alice@example.com", 1]);
    const answer = await reset(tokenIn(sent?.text));
    assert.deepEqual([answer.status, answer.body.status], [200, true], answer.text);
    assert.equal(await isSignedIn(browser), false);
    assert.equal((await signIn(password)).status, 401);
    assert.equal((await signIn(newPassword)).status, 200);
    const [notice] = await sendMails();
    assert.deepEqual([notice?.to, notice?.subject], ["alice@example.com", "Your password for Longshore was changed"]);
    const entry = await row(
      stage.pool,
      sql`select action, user_email from audit_log where action like '%reset-password' order by id desc limit 1`,
    );
    assert.deepEqual(entry, { action: "POST /api/auth/reset-password", user_email: "alice@example.com" });
  });

  it("is answered alike for an address without an account, by the same work", async () => {
    const answers = [await ask("alice@example.com"), await ask("unknown@example.com")];
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    const jobs = await waiting();
    assert.deepEqual(
      jobs.map(({ data }) => data.kind),
      ["reset_password", "reset_password"],
    );
    assert.deepEqual(await rows(stage.pool, sql`select from mailed_links`), [], "Nothing else was stored.");
    assert.deepEqual(
      (await sendMails()).map(({ to }) => to),
      ["alice@example.com"],
    );
    for (let more = 0; more < 4; more++) await Promise.all([ask("alice@example.com"), ask("unknown@example.com")]);
    const limited = await Promise.all([ask("alice@example.com"), ask("unknown@example.com")]);
    assert.deepEqual(
      limited.map(({ status }) => status),
      [429, 429],
    );
  });

  it("has a link to the configured address, whatever host the request names", async () => {
    assert.equal((await ask("alice@example.com", evil)).status, 200);
    const [sent] = await sendMails();
    assert.ok(
      sent &&
        sent.links.length > 0 &&
        sent.links.every((link) => link.startsWith(`${publicUrl}/`) || link.startsWith(`${publicUrl}.`)),
      String(sent?.links),
    );
    assert.ok(!sent.text.includes("evil.example"));
  });

  it("has a link that works once, of requests at the same moment too", async () => {
    const token = await resetToken();
    const both = await Promise.all([reset(token), reset(token, { newPassword: "mallory was here" })]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 410]);
    assert.equal((await reset(token)).status, 410);
  });

  it("has a link that ends after an hour, with the next one, and with a change of the address", async () => {
    const late = await resetToken();
    await stage.pool.query("update mailed_links set expires_at = now()");
    assert.equal((await reset(late)).status, 410);
    const [first, second] = [await resetToken(), await resetToken()];
    assert.equal((await reset(first)).status, 410);
    await stage.pool.query("update users set email = 'moved@example.com' where email = 'alice@example.com'");
    assert.equal((await reset(second)).status, 410);
    await stage.pool.query("update users set email = 'alice@example.com' where email = 'moved@example.com'");
    await stage.pool.query("update mailed_links set expires_at = now() - interval '1 minute'");
    await deleteExpired(stage.pool);
    assert.deepEqual(await rows(stage.pool, sql`select from mailed_links`), []);
    assert.equal((await signIn(password)).status, 200);
  });

  it("is not set by a guess, a link for something else, or too short a password", async () => {
    assert.equal((await reset(`lsm_${"0".repeat(40)}`)).status, 410);
    const token = await resetToken();
    assert.equal((await reset(token, { newPassword: "short" })).status, 422);
    assert.equal((await post("verify-email", { token })).status, 410);
    const stored = await row<{ all: string }>(
      stage.pool,
      sql`select string_agg(l::text, '') as all from mailed_links l`,
    );
    assert.ok(!stored?.all.includes(token) && !stored?.all.includes(Buffer.from(token).toString("hex")));
    assert.equal((await reset(token)).status, 200, "It was not used up.");
  });

  it("is mailed later when the mail server is busy, with a link that works", async () => {
    await ask("alice@example.com");
    mail.answerOnce("RCPT", "451 come back");
    assert.deepEqual(await sendMails(), []);
    const [again] = await sendMails();
    assert.equal((await reset(tokenIn(again?.text))).status, 200);
  });

  it("is not mailed any more an hour after it was asked for", async () => {
    await ask("alice@example.com");
    await stage.pool.query(
      "update queue.job set data = jsonb_set(data, '{requestedAt}', to_jsonb((data->>'requestedAt')::bigint - 3600001))",
    );
    assert.deepEqual(await sendMails(), []);
    assert.deepEqual(await waiting(), []);
  });

  it("of one account opens no other", async () => {
    await ask("bob@example.com");
    const [sent] = await sendMails();
    assert.equal((await reset(tokenIn(sent?.text))).status, 200);
    assert.equal((await signIn(newPassword)).status, 401);
    assert.equal((await signIn(newPassword, "bob@example.com")).status, 200);
  });
});

describe("another address of an account", () => {
  const change = async (newEmail: string, by = stage.cast.userIds.alice) =>
    post("change-email", { newEmail }, await browserOf(stage.ctx, by));
  const emailOf = async (id: number) =>
    (await row<{ email: string }>(stage.pool, sql`select email from users where id = ${id}`))?.email;

  it("is confirmed there, announced to the former one, and signs in from then on", async () => {
    const alice = stage.cast.userIds.alice;
    const browser = await browserOf(stage.ctx, alice);
    assert.equal((await change("New@Example.com")).status, 200);
    assert.equal(await emailOf(alice), "alice@example.com");
    const sent = await sendMails();
    assert.deepEqual(sent.map(({ to }) => to).sort(), ["alice@example.com", "new@example.com"]);
    const toNew = sent.find(({ to }) => to === "new@example.com");
    const toOld = sent.find(({ to }) => to === "alice@example.com");
    assert.ok(toNew?.links.every((link) => link.startsWith(publicUrl)));
    assert.ok(toOld?.text.includes("new@example.com") && !toOld.text.includes("lsm_"));

    await ask("alice@example.com");
    const stale = tokenIn((await sendMails())[0]?.text);
    const confirmed = await post("verify-email", { token: tokenIn(toNew?.text) });
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal(await emailOf(alice), "new@example.com");
    assert.deepEqual(
      (await sendMails()).map(({ to }) => to),
      ["alice@example.com"],
    );
    assert.equal((await signIn(password)).status, 401);
    assert.equal((await signIn(password, "new@example.com")).status, 200);
    assert.equal(await isSignedIn(browser), true);
    assert.equal((await reset(stale)).status, 410, "It was mailed to the former address.");
  });

  it("is for a session, from a page of the console", async () => {
    const token = stage.cast.alice;
    const body = { newEmail: "new@example.com" };
    const asked = (headers: object) => call(stage.app, "POST /api/auth/change-email", { body, ...headers });
    assert.equal((await asked({})).status, 401);
    assert.equal((await asked({ token })).status, 403);
    const browser = await browserOf(stage.ctx, stage.cast.userIds.alice);
    assert.equal((await asked({ headers: { ...browser, origin: "https://evil.example" } })).status, 403);
    assert.deepEqual(await waiting(), []);
  });

  it("that has an account is answered alike, and never mailed", async () => {
    const [free, taken] = [await change("free@example.com"), await change("bob@example.com")];
    assert.equal(`${free.status} ${free.text}`, `${taken.status} ${taken.text}`);
    const sent = await sendMails();
    assert.deepEqual(sent.map(({ to }) => to).sort(), ["alice@example.com", "alice@example.com", "free@example.com"]);
  });

  it("that got an account in the meantime is refused", async () => {
    await change("late@example.com");
    const sent = await sendMails();
    const token = tokenIn(sent.find(({ to }) => to === "late@example.com")?.text);
    await adminUser(stage, { email: "late@example.com", name: "Late" });
    assert.equal((await post("verify-email", { token })).status, 410);
    assert.equal(await emailOf(stage.cast.userIds.alice), "alice@example.com");
  });

  it("is confirmed once, by its newest link, within an hour", async () => {
    const tokenTo = async (address: string) => {
      await change(address);
      return tokenIn((await sendMails()).find(({ to }) => to === address)?.text);
    };
    const [first, second] = [await tokenTo("one@example.com"), await tokenTo("two@example.com")];
    assert.equal((await post("verify-email", { token: first })).status, 410);
    await stage.pool.query("update mailed_links set expires_at = now()");
    assert.equal((await post("verify-email", { token: second })).status, 410);
    const third = await tokenTo("three@example.com");
    const both = await Promise.all([post("verify-email", { token: third }), post("verify-email", { token: third })]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 410]);
  });

  it("is the one of a request at the same moment for one of two accounts", async () => {
    const tokens = [];
    for (const by of [stage.cast.userIds.alice, stage.cast.userIds.victor]) {
      await change("both@example.com", by);
      tokens.push(tokenIn((await sendMails()).find(({ to }) => to === "both@example.com")?.text));
    }
    const both = await Promise.all(tokens.map((token) => post("verify-email", { token })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 410]);
  });

  it("is not several, not the present one, and asked for five times an hour", async () => {
    for (const odd of ["a@example.com,b@example.com", "Name <a@example.com>", "a@example.com\n", "alice@example.com"]) {
      assert.deepEqual(Object.keys((await change(odd)).body.errors), ["newEmail"], odd);
    }
    const statuses = [];
    for (let number = 0; number < 6; number++) statuses.push((await change(`new-${number}@example.com`)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  });

  it("does not change after a new password was set by mail: an intruder may have asked for it", async () => {
    await change("mallory@example.com");
    const mallory = tokenIn((await sendMails()).find(({ to }) => to === "mallory@example.com")?.text);
    assert.equal((await reset(await resetToken())).status, 200);
    assert.equal((await post("verify-email", { token: mallory })).status, 410);
  });
});

describe("an installation without a mail server", () => {
  let silent: Stage;
  before(async () => {
    silent = await openStage({ publicUrl });
  });
  after(() => silent?.close());

  it("names what its operator can do, alike for every address", async () => {
    const asked = (email: string) => call(silent.app, "POST /api/auth/request-password-reset", { body: { email } });
    const answers = [await asked("alice@example.com"), await asked("unknown@example.com")];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [422, 422],
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.match(answers[0]?.body.message, /longshore admin user/);
    const command = async (on: Stage) => (await call(on.app, "GET /api/v1/setup")).body.data.password_command;
    assert.ok(answers[0]?.body.message.endsWith(await command(silent)));
    assert.equal(await command(stage), null);
  });
});
