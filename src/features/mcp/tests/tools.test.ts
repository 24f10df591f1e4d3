import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { call as callApi } from "../../../http/tests/support.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  deployed,
  dispatch,
  findRow,
  finishRun,
} from "../../deployments/tests/support.ts";
import { type Connected, connect, type Era, openStage, type Stage } from "./support.ts";

const mostTokens = 2_000;
const charactersOfToken = 4;

for (const era of ["2026-07-28", "2025-11-25"] satisfies Era[]) {
  describe(`the tools, with a client of ${era}`, () => {
    let stage: Stage;
    let server: number;
    let project: number;
    before(async () => {
      stage = await openStage();
      server = await addProvisioned(stage, { name: "web-1" });
    });
    after(() => stage?.close());
    beforeEach(async () => {
      project = await addProject(stage.pool, server);
    });

    const alice = (t: Parameters<typeof connect>[0]) => connect(t, stage, stage.cast.alice, { era });

    /** Calls a tool that must not refuse. */
    async function done({ call }: Connected, name: string, args: object = {}) {
      const answer = await call(name, args);
      assert.equal(answer.isError, false, answer.text);
      assert.ok(answer.text.length <= mostTokens * charactersOfToken, `${answer.text.length} characters`);
      return answer;
    }

    const rename = (id: number, name: string) =>
      stage.pool.query("update projects set name = $2 where id = $1", [id, name]);

    it("find and get_project take an id or an exact name", async (t) => {
      const connected = await alice(t);
      await rename(project, `blog-${project}`);
      const { data } = await done(connected, "find", { text: `blog-${project}` });
      assert.deepEqual(data.results[0], {
        noun: "project",
        id: project,
        name: `blog-${project}`,
        context: data.results[0].context,
      });
      for (const given of [project, String(project), `blog-${project}`]) {
        const shown = await done(connected, "get_project", { project: given });
        assert.deepEqual([shown.data.id, shown.data.state], [project, "not_installed"]);
        assert.ok(shown.data.actions.includes("deploy"));
      }
    });

    it("a name that several projects have is answered with them", async (t) => {
      const connected = await alice(t);
      const other = await addProject(stage.pool, server);
      for (const id of [project, other]) await rename(id, `twin-${project}`);
      const answer = await connected.call("get_project", { project: `twin-${project}` });
      assert.equal(answer.isError, true);
      assert.ok(
        answer.text.includes(`project ${project} (`) && answer.text.includes(`project ${other} (`),
        answer.text,
      );
      const unknown = await connected.call("get_project", { project: "twin-" });
      assert.match(unknown.text, /404[\s\S]*Candidates|Candidates[\s\S]*404/);
    });

    it("overview shows what needs attention, with the operation that mends it", async (t) => {
      await deployed(stage, project, server, "failed");
      const { text, data } = await done(await alice(t), "overview");
      assert.match(text, /warning: deployment_failed|critical: deployment_failed/);
      assert.ok(data.attention.some(({ kind }: { kind: string }) => kind === "deployment_failed"));
      assert.ok(data.projects.total >= 1);
    });

    it("deploy waits for the end, and answers with it", async (t) => {
      const connected = await alice(t);
      const answer = done(connected, "deploy", { projects: [project], wait_seconds: 50 });
      const id = await newest();
      await dispatch(stage, server);
      await finishRun(stage, id, "succeeded", { commit: "c".repeat(40) });
      const { data, text } = await answer;
      assert.deepEqual([data.deployments[0].state, data.still_running], ["success", []], text);
    });

    async function newest(): Promise<number> {
      for (;;) {
        const { rows } = await stage.pool.query("select id from deployments where project_id = $1 order by id desc", [
          project,
        ]);
        if (rows[0]) return Number(rows[0].id);
      }
    }

    it("deploy answers with the reason and the log of the failed step", async (t) => {
      const connected = await alice(t);
      const answer = done(connected, "deploy", { projects: [project], wait_seconds: 50 });
      const id = await newest();
      await dispatch(stage, server);
      const { run_id: runId } = await findRow(stage, id);
      await stage.pool.query(
        "insert into run_output (run_id, journal_offset, step_position, audience, text) values ($1, 0, 1, 'client', 'npm ERR! missing script\n')",
        [runId],
      );
      await finishRun(stage, id, "failed", {}, "The build failed: missing script");
      const { text, data } = await answer;
      assert.equal(data.deployments[0].state, "failed");
      assert.match(
        text,
        /Untrusted content from the reason of deployment \d+:\n(~~~\w+)\nThe build failed: missing script\n\1/,
      );
      const log = await done(connected, "read_log", { deployment: id, from: "end" });
      assert.match(log.text, /npm ERR! missing script/);
      assert.equal(log.data.total_lines, 1);
      const found = await done(connected, "read_log", { deployment: id, search: "missing" });
      assert.equal(found.data.matches, 1);
    });

    it("deploy says that a deployment which has not ended is not done", async (t) => {
      const connected = await alice(t);
      const { text, data } = await done(connected, "deploy", { projects: [project], wait_seconds: 0 });
      const [id] = data.still_running;
      assert.ok(text.includes(`Continue with wait_for_deployment ${id}`));
      const waited = done(connected, "wait_for_deployment", { deployment: id, wait_seconds: 50 });
      await dispatch(stage, server);
      await finishRun(stage, id, "succeeded", { commit: "c".repeat(40) });
      assert.equal((await waited).data.state, "success");
    });

    it("wait_for_deployment shows progress to clients that ask for it", async (t) => {
      const { client } = await alice(t);
      const [id] = (await deploy(stage, project)) as [number];
      const messages: string[] = [];
      const waited = client.callTool(
        { name: "wait_for_deployment", arguments: { deployment: id, wait_seconds: 8 } },
        { onprogress: ({ message }) => messages.push(message ?? "") },
      );
      await waited;
      assert.ok(messages.length >= 1, "no progress");
      assert.match(messages[0] ?? "", new RegExp(`Deployment ${id}: queued`));
    });

    it("list_deployments filters, and continues at a cursor", async (t) => {
      const connected = await alice(t);
      for (let at = 0; at < 16; at++) await deployed(stage, project, server, at % 2 ? "failed" : "succeeded");
      const first = await done(connected, "list_deployments", { project });
      assert.equal(first.data.deployments.length, 15);
      const second = await done(connected, "list_deployments", { project, cursor: first.data.cursor });
      assert.deepEqual([second.data.deployments.length, second.data.cursor], [1, undefined]);
      const failed = await done(connected, "list_deployments", { project, server: "web-1", state: "failed" });
      assert.equal(failed.data.deployments.length, 8);
    });

    it("cancel_or_rerun cancels, reruns, and names what is possible otherwise", async (t) => {
      const connected = await alice(t);
      const [id] = (await deploy(stage, project)) as [number];
      const cancelled = await done(connected, "cancel_or_rerun", { deployment: id, action: "cancel", wait_seconds: 1 });
      assert.equal(cancelled.data.state, "cancelled");
      const again = await connected.call("cancel_or_rerun", { deployment: id, action: "cancel" });
      assert.deepEqual([again.isError, /Possible now: /.test(again.text)], [true, true], again.text);
      const failed = await deployed(stage, project, server, "failed");
      const rerun = await done(connected, "cancel_or_rerun", { deployment: failed, action: "rerun", wait_seconds: 0 });
      assert.ok(rerun.data.id > failed);
    });

    it("roll_back shows the plan first, and then rolls back", async (t) => {
      const connected = await alice(t);
      const first = await deployed(stage, project, server);
      await deployed(stage, project, server, "succeeded", "b".repeat(40));
      const plan = await done(connected, "roll_back", { project, wait_seconds: 0 });
      assert.equal(plan.data.target, first);
      assert.equal(typeof plan.data.plan.needs_build, "boolean");
      const rolled = await done(connected, "roll_back", { project, wait_seconds: 0, confirm: plan.data.confirm });
      assert.deepEqual([rolled.data.target, rolled.data.deployment.state], [first, "queued"]);
    });

    it("set_environment sets and removes, and no value comes back", async (t) => {
      const connected = await alice(t);
      await deployed(stage, project, server);
      const set = await done(connected, "set_environment", { project, set: { API_KEY: "hunter2-value", OTHER: "x" } });
      assert.deepEqual(set.data.set, ["API_KEY", "OTHER"]);
      const unset = await done(connected, "set_environment", {
        project,
        unset: ["OTHER"],
        deploy: true,
        wait_seconds: 0,
      });
      assert.equal(unset.data.deployment.state, "queued");
      const shown = await done(connected, "get_project", { project });
      assert.deepEqual(shown.data.variables, ["API_KEY"]);
      for (const answer of [set, unset, shown]) assert.ok(!JSON.stringify(answer).includes("hunter2"));
      const refused = await connected.call("set_environment", { project, set: { FINE: "1", PPID: "2" } });
      assert.match(refused.text, /1 set and 0 removed[\s\S]*Refused with 422/);
    });

    it("check_domain and add_domain name the record to set", async (t) => {
      const connected = await alice(t);
      const added = await done(connected, "add_domain", { project, domain: `more-${project}.example.com` });
      const { rows } = await stage.pool.query("select host(public_ip) as ip from servers where id = $1", [server]);
      assert.deepEqual(added.data.record, { type: "A", name: `more-${project}.example.com`, value: rows[0].ip });
      assert.equal(added.data.is_reached, false);
      const checked = await done(connected, "check_domain", { project, domain: `more-${project}.example.com` });
      assert.deepEqual([checked.data.is_reached, checked.data.certificate], [false, null]);
      assert.match(checked.text, /Untrusted content from the DNS/);
    });

    it("servers are listed, shown and connected", async (t) => {
      const connected = await alice(t);
      const list = await done(connected, "list_servers");
      assert.ok(list.data.servers.some(({ id }: { id: number }) => id === server));
      const shown = await done(connected, "get_server", { server: "web-1" });
      assert.deepEqual([shown.data.server.id, shown.data.server.state], [server, "ready"]);
      const added = await done(connected, "connect_server", {
        name: "new-1",
        public_ip: `10.8.${era.length}.${project % 250}`,
        os: "debian_12",
      });
      assert.match(added.data.connect_command, /authorized_keys/);
      const refused = await connected.call("connect_server", { public_ip: "127.0.0.1", os: "debian_12" });
      assert.match(refused.text, /Refused with 422[\s\S]*public_ip/);
    });

    it("order_server names the connections that there are", async (t) => {
      const answer = await (await alice(t)).call("order_server", {
        provider: "none",
        location: "x",
        type: "y",
        os: "ubuntu_24_04",
      });
      assert.match(answer.text, /No single connection/);
    });

    it("monitors show those of a project", async (t) => {
      const connected = await alice(t);
      const made = await callApi(stage.app, "POST /api/v1/monitors", {
        token: stage.cast.alice,
        body: {
          type: "http",
          name: "front",
          monitorable_type: "App\\Models\\Project",
          monitorable_id: project,
          config: { url: "https://shop.example.com", interval_seconds: 60 },
        },
      });
      assert.equal(made.status, 201, made.text);
      const { data } = await done(connected, "monitors", { project });
      assert.deepEqual(
        data.monitors.map(({ name, state }: { name: string; state: string }) => [name, state]),
        [["front", "pending"]],
      );
    });

    it("run_command asks first, and then runs", async (t) => {
      const connected = await alice(t);
      await deployed(stage, project, server);
      await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
      const args = { project, command: "php artisan about", wait_seconds: 0 };
      const plan = await done(connected, "run_command", args);
      const run = await done(connected, "run_command", { ...args, confirm: plan.data.confirm });
      assert.ok(run.data.command_id > 0 && ["queued", "running"].includes(run.data.state));
      const log = await done(connected, "read_log", { project, command: run.data.command_id });
      assert.equal(log.data.total_lines, 0);
    });

    it("find_operation and call_operation reach the rest of the API", async (t) => {
      const connected = await alice(t);
      const found = await done(connected, "find_operation", { text: "scheduled job add" });
      const [operation] = found.data.operations;
      assert.equal(operation.operation, "postProjectsIdSchedulerJobs", found.text);
      const listed = await done(connected, "call_operation", {
        operation: "getProjectsIdSchedulerJobs",
        params: { id: project },
      });
      assert.match(listed.text, /"data": \[\]/);
      const wrong = await connected.call("call_operation", {
        operation: operation.operation,
        params: { id: project },
        body: { name: "" },
      });
      assert.match(wrong.text, /Refused with 422[\s\S]*cron_expression/);
      const missing = await connected.call("call_operation", { operation: "getProjectsId" });
      assert.match(missing.text, /params.id: id is missing/);
      for (const operation of ["postApiAuthSignInEmail", "getEvents", "postSetup"]) {
        const answer = await connected.call("call_operation", { operation });
        assert.match(answer.text, /No operation that your token can send/, operation);
      }
    });

    it("arguments that a tool does not have are refused, with those that it has", async (t) => {
      const connected = await alice(t);
      const answer = await connected.call("get_project", { projekt: 1 });
      assert.match(answer.text, /Refused with 422[\s\S]*projekt[\s\S]*project/);
      assert.match((await connected.call("deploy", { projects: [] })).text, /Refused with 422/);
    });
  });
}
