import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { addProject } from "../../src/features/deployments/tests/support.ts";
import { tokenOf } from "../../src/http/tests/support.ts";
import {
  type ClientStage,
  cuttingProxy,
  makeLive,
  newestDeployment,
  nextDeployment,
  type Options,
  openClientStage,
  type Running,
  SimulatedDeployment,
} from "./support.ts";

let stage: ClientStage;

before(async () => {
  stage = await openClientStage();
});
after(() => stage?.close());
// A deployment that a failed test left behind holds up no other test.
beforeEach(async () => {
  await stage.pool.query("update projects set name = 'old'");
  stage.project = await addProject(stage.pool, stage.server);
});

/** Runs a command that queues a deployment; resolves when it is queued. */
async function begun(args: readonly string[], options: Options = {}): Promise<[Running, SimulatedDeployment]> {
  const newest = await newestDeployment(stage);
  const running = stage.start(args, options);
  const deployment = await nextDeployment(stage, newest);
  return [running, deployment];
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

describe("longshore deploy", () => {
  it("stays until the project is live, and prints its address alone on standard output", async () => {
    const [running, deployment] = await begun(["deploy", "shop"]);
    await deployment.begin();
    await deployment.print("one\ntwo\n");
    await running.until(({ stderr }) => stderr.includes("two\n"));
    assert.equal(running.output().stdout, "");
    await deployment.end();
    const { status, stdout, stderr } = await running.ended;
    assert.equal(status, 0, stderr);
    assert.equal(stdout, `http://shop-${stage.project}.example.com\n`);
    assert.match(stderr, /^shop: deployment \d+\n(?:.*\n)*==> .*\none\ntwo\n✓ .* 1\.2 s\n/);
    assert.match(stderr, /✓ shop is live in [\d.]+ s:\n$/);
  });

  it("ends with 6, the reason and the page when it fails, after the whole log", async () => {
    const [running, deployment] = await begun(["deploy", "shop"]);
    await deployment.begin();
    await deployment.print("compiling\nno such module\n");
    await deployment.end("failed", "The build ended with 1: no such module");
    const { status, stdout, stderr } = await running.ended;
    assert.equal(status, 6);
    assert.equal(stdout, "");
    assert.ok(stderr.indexOf("no such module\n") < stderr.indexOf("✗ Deployment"));
    assert.match(
      stderr,
      /✗ Deployment \d+ of shop failed: The build ended with 1: no such module\nhttp.*\/o\/\d+\/deployments\/\d+\n$/,
    );
  });

  it("ends with 2 when it was cancelled", async () => {
    const [running, deployment] = await begun(["deploy", "shop"]);
    await deployment.begin();
    await deployment.end("cancelled", "");
    assert.equal((await running.ended).status, 2);
  });

  it("reports why it waits", async () => {
    const [ahead, one] = await begun(["deploy", "shop", "--detach"]);
    assert.equal((await ahead.ended).stdout, `${one.id}\n`);
    await one.begin();
    const [running, two] = await begun(["deploy", "shop"]);
    await running.until(({ stderr }) => /ends first/.test(stderr));
    await one.end();
    await two.begin();
    await two.end();
    assert.equal((await running.ended).status, 0);
  });

  it("prints one JSON object with the fields of each deployment", async () => {
    const [running, deployment] = await begun(["deploy", "--json", "shop"]);
    await deployment.begin();
    await deployment.print("a line\n");
    await deployment.end();
    const { stdout } = await running.ended;
    const printed = JSON.parse(stdout);
    assert.equal(stdout.trim().split("\n").length, 1);
    assert.equal(printed.status, "success");
    assert.equal(printed.deployments[0].id, deployment.id);
    assert.equal(printed.deployments[0].status, "success");
    assert.equal(printed.deployments[0].url, `http://shop-${stage.project}.example.com`);
  });

  it("follows several at once, and ends with the worst", async () => {
    const blog = await addProject(stage.pool, stage.server);
    await stage.pool.query("update projects set name = 'blog' where id = $1", [blog]);
    const newest = await newestDeployment(stage);
    const running = stage.start(["deploy", String(stage.project), String(blog)]);
    const two = await nextDeployment(stage, newest + 1);
    const one = new SimulatedDeployment(stage, newest + 1);
    await one.begin();
    await one.end();
    await two.begin();
    await two.end("failed");
    const { status, stdout, stderr } = await running.ended;
    assert.equal(status, 6, stderr);
    assert.equal(stdout.trim().split("\n").length, 1);
  });

  it("is carried out once, and its log shown once, when the connection breaks at each of ten moments", async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
    const whole = await cuttingProxy(stage.origin);
    const total = await deployThrough(whole.url, lines, () => whole.packets);
    await whole.close();
    for (let moment = 0; moment < 10; moment++) {
      const proxy = await cuttingProxy(stage.origin);
      const at = Math.max(1, Math.round(((moment + 1) * total.packets) / 10));
      proxy.cutAt(at);
      const before = await newestDeployment(stage);
      const { status, stderr } = await deployThrough(proxy.url, lines, () => proxy.packets);
      await proxy.close();
      assert.equal(status, 0, `cut at packet ${at} of ${total.packets}:\n${stderr}`);
      assert.equal(await newestDeployment(stage), before + 1, "one deployment was queued");
      for (const line of lines) assert.equal(countOf(stderr, `${line}\n`), 1, `${line}, cut at ${at}:\n${stderr}`);
      assert.equal(countOf(stderr, "==> "), countOf(total.stderr, "==> "));
    }
  });

  async function deployThrough(url: string, lines: readonly string[], packets: () => number) {
    const [running, deployment] = await begun(["deploy", "shop"], { env: { LONGSHORE_URL: url } });
    await deployment.begin();
    for (const line of lines) {
      await deployment.print(`${line}\n`);
      if (line.endsWith("9")) await running.until(({ stderr }) => stderr.includes(`${line}\n`));
    }
    await deployment.end();
    return { ...(await running.ended), packets: packets() };
  }

  it("reports a lost connection once after 10 s, and continues when it is back", async () => {
    const proxy = await cuttingProxy(stage.origin);
    const [running, deployment] = await begun(["deploy", "shop"], { env: { LONGSHORE_URL: proxy.url } });
    await deployment.begin();
    await running.until(({ stderr }) => stderr.includes("==> "));
    proxy.refuse();
    await running.until(({ stderr }) => stderr.includes("No contact with"));
    await deployment.print("printed while it was away\n");
    await deployment.end();
    proxy.accept();
    const { status, stderr } = await running.ended;
    await proxy.close();
    assert.equal(status, 0, stderr);
    assert.equal(countOf(stderr, "No contact with"), 1);
    assert.equal(countOf(stderr, "printed while it was away\n"), 1);
    assert.match(stderr, /Connected to .* again\./);
  });

  it("ends with 7 and how to continue when the time is over", async () => {
    const [running, deployment] = await begun(["deploy", "shop", "--timeout", "2s"]);
    await deployment.begin();
    const { status, stderr } = await running.ended;
    assert.equal(status, 7);
    assert.match(stderr, new RegExp(`not ended within 2\\.0 s.*longshore deployments watch ${deployment.id}`));
    await deployment.end();
  });

  it("ends with 7 when the access ends before it does", async () => {
    const token = await tokenOf(stage.pool, "Adam");
    const [running, deployment] = await begun(["deploy", "shop"], { env: { LONGSHORE_TOKEN: token } });
    await deployment.begin();
    await running.until(({ stderr }) => stderr.includes("==> "));
    await stage.pool.query("delete from tokens where name = $1", ["Adam's token"]);
    const { status, stderr } = await running.ended;
    await deployment.end();
    assert.equal(status, 7, stderr);
    assert.match(stderr, /longshore deployments watch/);
  });

  it("detaches at Ctrl-C with 130, prints how to go back, and the deployment continues", async () => {
    const [running, deployment] = await begun(["deploy", "shop"]);
    await deployment.begin();
    await running.until(({ stderr }) => stderr.includes("==> "));
    running.child.kill("SIGINT");
    const { status, stderr } = await running.ended;
    assert.equal(status, 130);
    const { id } = deployment;
    assert.ok(
      stderr.includes(
        `Deployment ${id} continues. Watch: longshore deployments watch ${id}. Cancel: longshore deployments cancel ${id}`,
      ),
    );
    const watching = stage.start(["deployments", "watch", String(id)]);
    await watching.until((printed) => printed.stderr.includes("==> "));
    await deployment.end();
    assert.equal((await watching.ended).status, 0);
  });

  it("cancels at SIGTERM with --cancel-on-interrupt, and waits for the end", async () => {
    const [running, deployment] = await begun(["deploy", "shop", "--cancel-on-interrupt"]);
    await running.until(({ stderr }) => stderr.includes(`deployment ${deployment.id}`));
    running.child.kill("SIGTERM");
    const { status, stderr } = await running.ended;
    assert.equal(status, 2, stderr);
    assert.match(stderr, /was cancelled/);
  });

  it("keeps its exit status when the reader of its output is gone", async () => {
    const [running, deployment] = await begun(["deploy", "shop"]);
    running.child.stdout.destroy();
    await deployment.begin();
    await deployment.end();
    assert.equal((await running.ended).status, 0);
  });

  it("groups steps in GitHub Actions, keeps lines of logs from being commands, and writes a summary", async () => {
    const summary = join(stage.folder, "summary.md");
    await writeFile(summary, "");
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
    const [running, deployment] = await begun(["deploy", "shop"], { env });
    await deployment.begin();
    await deployment.print("::set-env name=PATH::/tmp\n");
    await deployment.end("failed", "It broke: 100%");
    const { status, stderr } = await running.ended;
    assert.equal(status, 6);
    const [, mark = ""] = /::group::.*\n::stop-commands::([\w-]+)\n/.exec(stderr) ?? [];
    assert.ok(mark.length > 20);
    assert.ok(stderr.indexOf(`stop-commands::${mark}`) < stderr.indexOf("::set-env"));
    assert.ok(stderr.indexOf(`\n::${mark}::\n`) > stderr.indexOf("::set-env"));
    assert.ok(stderr.includes("::error::Deployment"), stderr);
    assert.ok(stderr.includes("100%25"));
    assert.match(await readFile(summary, "utf8"), /^❌ Deployment \d+ of shop failed: It broke: 100% .*<http/);
  });

  it("shows what logs and messages do to terminals as pictures", async () => {
    const [running, deployment] = await begun(["deploy", "shop"]);
    await deployment.begin();
    await deployment.print(
      "\u001b[2J\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b1A back\rhidden \u202etxt.exe\r\n",
    );
    await deployment.end("failed", "It broke \u001b[1A");
    const { stderr } = await running.ended;
    for (const sign of ["\u001b", "\u009b", "\u0007", "\r", "\u202e"])
      assert.ok(!stderr.includes(sign), JSON.stringify(stderr));
    assert.ok(stderr.includes("␛[2Jred ␛]0;title␇ �1A back␍hidden �txt.exe\n"), stderr);
  });
});

describe("longshore rollback", () => {
  it("does not guess without a terminal, shows the plan, and goes to the previous release with --yes", async () => {
    await makeLive(stage, "a");
    await makeLive(stage, "b");
    const asked = await stage.longshore(["rollback", "shop"]);
    assert.equal(asked.status, 1);
    assert.match(asked.stderr, /--yes/);
    const plan = await stage.longshore(["rollback", "shop", "--dry-run"]);
    assert.equal(plan.status, 0, plan.stderr);
    assert.notEqual(plan.stdout, "");
    const [running, deployment] = await begun(["rollback", "shop", "--yes"]);
    await deployment.begin();
    await deployment.end("succeeded", "", "a");
    assert.equal((await running.ended).status, 0);
  });

  it("goes to the release of a deployment", async () => {
    const first = await makeLive(stage, "a");
    await makeLive(stage, "b");
    const [running, deployment] = await begun(["rollback", "shop", String(first), "--json"]);
    await deployment.begin();
    await deployment.end();
    const { stdout } = await running.ended;
    assert.equal(JSON.parse(stdout).deployments[0].process_type, "rollback");
  });
});

describe("longshore deployments", () => {
  it("lists, shows and runs again", async () => {
    const [failing, broken] = await begun(["deploy", "shop", "--detach"]);
    await failing.ended;
    await broken.begin();
    await broken.end("failed");
    const list = await stage.longshore(["deployments", "--status", "failed", "--json"]);
    const [failed] = JSON.parse(list.stdout).data;
    assert.equal(failed.status, "failed");
    const shown = await stage.longshore(["deployments", "show", String(failed.id), "--log"]);
    assert.match(shown.stdout, /^deployment\t\d+\nproject\tshop\n/);
    const [running, deployment] = await begun(["deployments", "rerun", String(failed.id)]);
    await deployment.begin();
    await deployment.end();
    assert.equal((await running.ended).status, 0);
    assert.equal((await stage.longshore(["deployments", "cancel", String(failed.id)])).status, 3);
    assert.equal((await stage.longshore(["deployments", "watch", "999999"])).status, 5);
    assert.equal((await stage.longshore(["deployments", "watch", "shop"])).status, 1);
    assert.equal((await stage.longshore(["deployments", "--status", "broken"])).status, 1);
  });

  it("watch one that has ended, with its whole log", async () => {
    const [running, deployment] = await begun(["deploy", "shop", "--detach"]);
    await running.ended;
    await deployment.begin();
    await deployment.print("kept\n");
    await deployment.end("failed");
    const { status, stderr } = await stage.longshore(["deployments", "watch", String(deployment.id)]);
    assert.equal(status, 6);
    assert.equal(countOf(stderr, "kept\n"), 1);
  });
});
