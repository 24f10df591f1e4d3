import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { restrict, tokenOf } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, deployed } from "../../deployments/tests/support.ts";
import { tools } from "../table.ts";
import { connect, openStage, type Stage } from "./support.ts";

/** What a caller gets: the tool is not listed, or the call is refused. */
type Refused = "absent" | "refused";

describe("who may call which tool", () => {
  let stage: Stage;
  let server: number;
  let project: number;
  let other: number;
  let deployment: number;
  before(async () => {
    stage = await openStage();
    server = await addProvisioned(stage, { name: "web-1" });
    project = await addProject(stage.pool, server);
    deployment = await deployed(stage, project, server);
    await deployed(stage, project, server, "succeeded", "b".repeat(40));
    other = await addProject(stage.pool, await addProvisioned(stage, { name: "web-2" }));
    await deployed(
      stage,
      other,
      Number((await stage.pool.query("select server_id from projects where id = $1", [other])).rows[0].server_id),
    );
  });
  after(() => stage?.close());

  /** A call of each tool that concerns the project or its server; those without are not about a record. */
  const calls = (): Record<string, object> => ({
    get_project: { project },
    // An address that is refused at once: no server answers in these tests.
    propose_project: { server, repository: "git@git.example.com:a.git" },
    create_project: {
      name: "x",
      server,
      domain: "x.example.com",
      framework_id: 10,
      repository: "https://git.example.com/a.git",
    },
    set_environment: { project, set: { A: "1" } },
    list_deployments: { project },
    deploy: { projects: [project], wait_seconds: 0 },
    wait_for_deployment: { deployment, wait_seconds: 0 },
    cancel_or_rerun: { deployment, action: "cancel" },
    roll_back: { project, deployment },
    read_log: { deployment },
    project_logs: { project, type: "access" },
    add_domain: { project, domain: "y.example.com" },
    check_domain: { project },
    get_server: { server },
    monitors: { project },
    run_command: { project, command: "true" },
    call_operation: { operation: "deleteProjectId", params: { id: project } },
  });
  const aboutNoRecord = ["find", "overview", "list_servers", "connect_server", "order_server", "find_operation"];

  async function outcomeOf(
    t: Parameters<typeof connect>[0],
    token: string,
    query = "",
  ): Promise<Record<string, Refused | string>> {
    const { call, names } = await connect(t, stage, token, { query });
    const listed = await names();
    const outcomes: Record<string, string> = {};
    for (const [name, args] of Object.entries(calls())) {
      const answer = await call(name, args).catch(() => undefined);
      if (answer === undefined) assert.ok(!listed.includes(name), name);
      outcomes[name] = answer === undefined ? "absent" : answer.isError ? "refused" : answer.text;
    }
    return outcomes;
  }

  it("is tested for every tool", () => {
    const tested = [...Object.keys(calls()), ...aboutNoRecord].toSorted();
    assert.deepEqual(tested, tools.map(({ name }) => name).toSorted());
  });

  it("a stranger reaches nothing", async (t) => {
    for (const [name, outcome] of Object.entries(await outcomeOf(t, stage.cast.charlie))) {
      assert.ok(outcome === "refused" || outcome === "absent", `${name}: ${outcome}`);
    }
    const { call } = await connect(t, stage, stage.cast.charlie);
    assert.deepEqual((await call("find", { text: "shop" })).data.results, []);
    assert.deepEqual((await call("list_servers")).data.servers, []);
    assert.deepEqual((await call("overview")).data.attention, []);
  });

  it("a stranger gets the same answer for what exists and what does not", async (t) => {
    const { call } = await connect(t, stage, stage.cast.charlie);
    const shape = (text: string) => text.replace(/~~~\w+/g, "~~~");
    const [exists, missing] = [await call("get_project", { project }), await call("get_project", { project: 999_999 })];
    assert.equal(shape(exists.text), shape(missing.text));
  });

  it("a viewer reads and changes nothing", async (t) => {
    const outcomes = await outcomeOf(t, stage.cast.victor);
    const writing = [
      "propose_project",
      "create_project",
      "set_environment",
      "deploy",
      "cancel_or_rerun",
      "roll_back",
      "add_domain",
      "run_command",
    ];
    for (const name of writing) assert.equal(outcomes[name], "absent", name);
    assert.equal(outcomes.call_operation, "refused");
    for (const name of ["get_project", "list_deployments", "read_log", "get_server", "monitors"]) {
      assert.ok(!["absent", "refused"].includes(outcomes[name] ?? ""), `${name}: ${outcomes[name]}`);
    }
  });

  it("a narrow token has what its permissions allow", async (t) => {
    const outcomes = await outcomeOf(t, await tokenOf(stage.pool, "Alice", "monitor:read"));
    for (const [name, outcome] of Object.entries(outcomes)) {
      if (name === "monitors") assert.equal(outcome, "refused");
      else
        assert.ok(outcome === "absent" || (name === "call_operation" && outcome === "refused"), `${name}: ${outcome}`);
    }
  });

  it("a restricted member reaches what the membership names, and nothing else", async (t) => {
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { projects: [other] });
    const outcomes = await outcomeOf(t, stage.cast.bob);
    // Any member may propose and create projects, on servers in reach: this server is not.
    for (const [name, outcome] of Object.entries(outcomes)) {
      assert.ok(outcome === "refused" || outcome === "absent", `${name}: ${outcome}`);
    }
    const { call } = await connect(t, stage, stage.cast.bob);
    assert.equal((await call("get_project", { project: other })).isError, false);
  });

  it("a connection that only reads changes nothing, whatever the token may do", async (t) => {
    const outcomes = await outcomeOf(t, stage.cast.alice, "?read_only=1");
    for (const name of [
      "create_project",
      "set_environment",
      "deploy",
      "cancel_or_rerun",
      "roll_back",
      "add_domain",
      "run_command",
    ]) {
      assert.equal(outcomes[name], "absent", name);
    }
    assert.equal(outcomes.call_operation, "refused");
    const { call } = await connect(t, stage, stage.cast.alice, { query: "?read_only=1" });
    for (const operation of ["postDeployments", "getProjectsIdPublish"]) {
      assert.equal((await call("call_operation", { operation, params: { id: project } })).isError, true);
    }
    assert.equal((await call("call_operation", { operation: "getProjects" })).isError, false);
  });

  it("a connection for one project reaches no other one", async (t) => {
    const outcomes = await outcomeOf(t, stage.cast.alice, `?project=${other}`);
    for (const [name, outcome] of Object.entries(outcomes)) {
      assert.ok(outcome === "refused" || outcome === "absent", `${name}: ${outcome}`);
    }
    const { call } = await connect(t, stage, stage.cast.alice, { query: `?project=${other}` });
    assert.equal((await call("get_project")).data.id, other);
    const list = await call("list_deployments");
    assert.ok(list.data.deployments.length > 0);
    const owned = await stage.pool.query("select distinct project_id from deployments where id = any($1)", [
      list.data.deployments.map(({ id }: { id: number }) => id),
    ]);
    assert.deepEqual(
      owned.rows.map((row) => Number(row.project_id)),
      [other],
    );
    assert.ok((await call("read_log", { server })).isError);
  });

  it("no parameter of a path leads to another operation", async (t) => {
    const { call } = await connect(t, stage, stage.cast.alice);
    for (const id of ["..", ".", "", "../../servers", `${project}/publish`, `${project}?dry_run=0`, "%2e%2e"]) {
      const answer = await call("call_operation", { operation: "getProjectsId", params: { id } });
      assert.ok(answer.isError && answer.text.includes("404"), `${id}: ${answer.text}`);
    }
  });

  it("a dry run is no way around the confirmation of what has none", async (t) => {
    const { call } = await connect(t, stage, stage.cast.alice);
    const params = { projectId: project, domainId: 1 };
    const answer = await call("call_operation", {
      operation: "deleteProjectsProjectIdDomainsDomainId",
      params,
      query: { dry_run: 1 },
    });
    assert.match(answer.text, /Nothing was done|Refused with 4/);
  });

  it("a connection for one organization works in it alone", async (t) => {
    const { call } = await connect(t, stage, stage.cast.alice, { query: `?organization=${stage.cast.organizationId}` });
    assert.equal((await call("get_project", { project })).isError, false);
    await assert.rejects(() =>
      connect(t, stage, stage.cast.alice, { query: `?organization=${stage.cast.charlieOrganizationId}` }),
    );
  });
});
