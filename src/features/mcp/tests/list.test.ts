import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { routesOf } from "../../../features.ts";
import { tokenOf } from "../../../http/tests/support.ts";
import { annotationsOf, reachingOut } from "../annotations.ts";
import { isReading, nameOfRoute, readingPosts } from "../connection.ts";
import { alsoConfirmed, hasPlan, isConfirmed } from "../operations.ts";
import { tools } from "../table.ts";
import { connect, openStage, type Stage } from "./support.ts";

const mostBytes = 28_000;
const snapshot = join(import.meta.dirname, "descriptions.txt");

describe("the list of tools", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  const listed = async (t: Parameters<typeof connect>[0], token = stage.cast.alice, query = "") =>
    (await connect(t, stage, token, { query })).names();

  it(`has at most ${mostBytes} bytes, and the descriptions of ${snapshot.split("/").pop()}`, async (t) => {
    const { client } = await connect(t, stage, stage.cast.alice);
    const list = await client.listTools();
    const bytes = Buffer.byteLength(JSON.stringify(list));
    assert.ok(bytes <= mostBytes, `${bytes} bytes`);
    const shown = list.tools.map(({ name, description, annotations }) => {
      const hints = Object.entries(annotations ?? {})
        .filter(([, value]) => value === true)
        .map(([hint]) => hint);
      return `${name} [${hints.join(" ")}]\n  ${description}\n`;
    });
    const text = shown.join("\n");
    assert.equal(text, readFileSync(snapshot, "utf8"), `The text should be:\n${text}`);
  });

  it("names only routes that exist, and says of each tool what its routes do", () => {
    const routes = new Map(routesOf().map((route) => [nameOfRoute(route), route]));
    for (const tool of tools) {
      const names = [...tool.needs, ...tool.uses];
      const sent = names.map((name) => routes.get(name) ?? assert.fail(`${tool.name}: ${name}`));
      const { readOnlyHint, destructiveHint } = annotationsOf(tool, routesOf());
      if (sent.length > 0) assert.equal(readOnlyHint, sent.every(isReading), tool.name);
      assert.equal(
        destructiveHint,
        tool.plan !== undefined || sent.some(({ method }) => method === "DELETE"),
        tool.name,
      );
      // What has a dry run destroys or bills: the tool has to confirm it, unless it adds a server of one's own.
      if (sent.some(hasPlan) && tool.name !== "connect_server") assert.ok(tool.plan, tool.name);
    }
    for (const name of [...readingPosts, ...reachingOut, ...alsoConfirmed]) assert.ok(routes.has(name), name);
  });

  it("confirms every DELETE and every request that has a dry run", () => {
    for (const route of routesOf()) {
      if (route.method === "DELETE" || hasPlan(route)) assert.ok(isConfirmed(route), nameOfRoute(route));
    }
    assert.ok(routesOf().filter(hasPlan).length >= 6);
  });

  it("has no tool for which the token lacks a permission", async (t) => {
    const reader = await tokenOf(stage.pool, "Alice", "project:read");
    const names = await listed(t, reader);
    assert.ok(names.includes("get_project") && names.includes("list_deployments"));
    for (const name of [
      "deploy",
      "roll_back",
      "list_servers",
      "order_server",
      "monitors",
      "set_environment",
      "run_command",
    ]) {
      assert.ok(!names.includes(name), name);
    }
  });

  it("has no tool for which the role lacks a permission", async (t) => {
    const names = await listed(t, stage.cast.victor);
    assert.ok(names.includes("list_servers"));
    for (const name of ["deploy", "connect_server", "add_domain"]) assert.ok(!names.includes(name), name);
  });

  it("has only tools that read over a connection that only reads", async (t) => {
    const { client } = await connect(t, stage, stage.cast.alice, { query: "?read_only=1" });
    const { tools: shown } = await client.listTools();
    assert.ok(shown.length > 8);
    for (const { name, annotations } of shown) assert.equal(annotations?.readOnlyHint, true, name);
    assert.ok(!shown.some(({ name }) => name === "deploy"));
  });

  it("has only tools about a project over a connection for one project", async (t) => {
    const names = await listed(t, stage.cast.alice, "?project=1");
    assert.ok(names.includes("deploy"));
    for (const name of ["find", "list_servers", "order_server", "create_project", "call_operation"]) {
      assert.ok(!names.includes(name), name);
    }
  });
});
