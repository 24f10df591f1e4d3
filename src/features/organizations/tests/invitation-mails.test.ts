import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { Worker } from "../../../engine/queue/worker.ts";
import { call } from "../../../http/tests/support.ts";
import { openSmtpStandIn, type SmtpStandIn } from "../../../providers/notify/tests/stand-ins.ts";
import { openStage, type Stage } from "../../servers/tests/support.ts";
import { organizationJobs } from "../jobs.ts";

const publicUrl = "https://deploy.example.com";

describe("an invitation where there is a mail server", () => {
  let mail: SmtpStandIn;
  let stage: Stage;
  before(async () => {
    mail = await openSmtpStandIn();
    stage = await openStage({ smtpUrl: mail.url, publicUrl });
  });
  after(async () => {
    await stage.close();
    await mail.close();
  });
  beforeEach(async () => {
    await stage.pool.query("delete from invitations");
    await stage.pool.query("delete from queue.job");
    await stage.pool.query("delete from sent_invitations");
    mail.mails.length = 0;
  });

  const path = () => `/api/v1/organizations/${stage.cast.organizationId}/invitations`;
  const invite = async (email = "nora@example.com", role = "Member") => {
    const { status, body, text } = await call(stage.app, `POST ${path()}`, {
      token: stage.cast.alice,
      body: { email, role },
    });
    assert.equal(status, 201, text);
    return body.data as { id: number; token: string };
  };

  interface MailJob {
    data: Record<string, unknown>;
    /** Seconds after its creation when it may begin. */
    in_seconds: number;
  }
  const jobs = () =>
    rows<MailJob>(
      stage.pool,
      sql`select data, round(extract(epoch from start_after - created_on))::integer as in_seconds from queue.job
        where name = 'mail-invitations' and state = 'created' order by created_on`,
    );
  /** Does what a worker does with a job. */
  const work = async (job: MailJob | undefined, signal = new AbortController().signal) => {
    assert.ok(job);
    await organizationJobs(stage.ctx)[0]?.work(job.data, signal);
  };
  const stored = async () => (await rows(stage.pool, sql`select 1 from invitation_mails`)).length;

  it("is mailed by a worker, with the token that the answer shows as well", async () => {
    const worker = new Worker(stage.ctx.queue, organizationJobs(stage.ctx), stage.ctx.log);
    await worker.start(stage.ctx.listener);
    const { token } = await invite("first@example.com");
    const received = await mail.mail(1);
    await worker.stop();
    assert.equal(received.from, "longshore@deploy.example.com");
    assert.deepEqual(received.to, ["first@example.com"]);
    assert.equal(received.headers.subject, "Alice invites you to Acme on Longshore");
    const text = received.source.replace(/=\r\n/g, "");
    assert.ok(text.includes(token));
    assert.ok(text.includes(`${publicUrl}/invitations/${token}`));
    assert.ok(text.includes(`${publicUrl}/api/v1/invitations/accept`));
    const accepted = await call(stage.app, "POST /api/v1/invitations/accept", {
      body: { token, name: "Nora", password: "correct horse" },
    });
    assert.equal(accepted.status, 200);
  });

  it("is stored nowhere once it is mailed, and encrypted until then", async () => {
    const { token } = await invite();
    const [job] = await jobs();
    const seen = await rows<{ all: string }>(
      stage.pool,
      sql`select m::text as all from invitation_mails m union all select data::text from queue.job`,
    );
    assert.ok(!seen.some(({ all }) => all.includes(token)));
    assert.ok(!seen.some(({ all }) => all.includes(Buffer.from(token).toString("hex"))));
    assert.equal(await stored(), 1);
    await work(job);
    assert.equal(await stored(), 0);
    await work(job);
    assert.equal(mail.mails.length, 1, "a job that is worked on again finds nothing to do");
  });

  it("is retried later when the mail server is busy, and not when it refuses", async () => {
    await invite();
    mail.answerOnce("RCPT", "451 come back");
    await work((await jobs())[0]);
    assert.equal(mail.mails.length, 0);
    const [, again] = await jobs();
    assert.equal(again?.in_seconds, 15);
    await work(again);
    assert.equal(mail.mails.length, 1);
    await stage.pool.query("delete from queue.job");
    await stage.pool.query("delete from sent_invitations");
    await invite("gone@example.com");
    mail.answerOnce("RCPT", "550 no such user");
    await work((await jobs())[0]);
    assert.equal(await stored(), 0);
    assert.equal((await jobs()).length, 1, "no further one");
  });

  it("is given up after a day", async () => {
    await invite();
    await stage.pool.query("update invitation_mails set created_at = now() - interval '1 day', attempts = 20");
    mail.answerOnce("RCPT", "451 come back");
    await work((await jobs())[0]);
    assert.equal(await stored(), 0);
    assert.equal((await jobs()).length, 1, "no further one");
  });

  it("that replaces another one is mailed once, and the other one not any more", async () => {
    const first = await invite();
    const second = await invite();
    assert.equal(first.id, second.id);
    const [old, current] = await jobs();
    await work(old);
    assert.equal(mail.mails.length, 0);
    await work(current);
    const { source } = await mail.mail(1);
    assert.ok(source.replace(/=\r\n/g, "").includes(second.token));
  });

  it("that was revoked or accepted meanwhile is not mailed", async () => {
    const { id } = await invite();
    await call(stage.app, `DELETE ${path()}/${id}`, { token: stage.cast.alice });
    const { token } = await invite("adele@example.com");
    await call(stage.app, "POST /api/v1/invitations/accept", {
      body: { token, name: "Adele", password: "correct horse" },
    });
    for (const job of await jobs()) await work(job);
    assert.equal(mail.mails.length, 0);
    assert.equal(await stored(), 0);
  });

  it("continues in the next process when this one stops", async () => {
    await invite();
    const [job] = await jobs();
    const stopped = new AbortController();
    stopped.abort();
    await work(job, stopped.signal);
    assert.equal(await stored(), 1);
    await work(job);
    assert.equal(mail.mails.length, 1);
  });
});

describe("an invitation where there is no mail server", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  it("is handed over by the person who made it, and its token stored nowhere", async () => {
    const { status, body } = await call(
      stage.app,
      `POST /api/v1/organizations/${stage.cast.organizationId}/invitations`,
      {
        token: stage.cast.alice,
        body: { email: "nora@example.com", role: "Member" },
      },
    );
    assert.equal(status, 201);
    assert.match(body.data.token, /^lsi_/);
    const kept = await rows(stage.pool, sql`select 1 from invitation_mails`);
    const queued = await rows(stage.pool, sql`select 1 from queue.job where name = 'mail-invitations'`);
    assert.deepEqual([kept, queued], [[], []]);
  });
});
