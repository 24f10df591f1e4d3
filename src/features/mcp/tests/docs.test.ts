import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { mustRun } from "../../../../sandbox/command.ts";
import { tools } from "../table.ts";
import { connect, openStage, type Stage } from "./support.ts";

// What docs/mcp.md shows works as it is shown.

const text = readFileSync(join(import.meta.dirname, "../../../../docs/mcp.md"), "utf8");

const blocks = (language: string): string[] =>
  Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm")), ([, block = ""]) => block);

describe("docs/mcp.md", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it("shows settings of clients with which they connect", async (t) => {
    const entries = blocks("json").flatMap((block) => {
      const { mcpServers, servers } = JSON.parse(block);
      return [mcpServers ?? servers ?? []].flatMap((each) => (each.longshore ? [each.longshore] : []));
    });
    assert.equal(entries.length, 2);
    for (const { type, url, headers } of entries) {
      assert.deepEqual([type, new URL(url).pathname, Object.keys(headers)], ["http", "/mcp", ["Authorization"]]);
      assert.match(headers.Authorization, /^Bearer /);
    }
    assert.ok((await (await connect(t, stage, stage.cast.alice)).names()).length > 20);
  });

  it("shows a request that is answered as it shows", async () => {
    const [request = ""] = blocks("sh");
    const answer = JSON.parse(
      await mustRun(["env", `MCP=${stage.origin}/mcp`, `TOKEN=${stage.cast.alice}`, "bash", "-euc", request]),
    );
    const shown = JSON.parse(blocks("json").find((block) => block.includes('"result"')) ?? "");
    assert.deepEqual(answer.result.content, shown.result.content);
    assert.equal(answer.result.resultType, shown.result.resultType);
    for (const [field, value] of Object.entries(shown.result.structuredContent)) {
      assert.deepEqual(answer.result.structuredContent[field], value, field);
    }
  });

  it("shows restrictions that are known", async (t) => {
    const queries = new Set(
      Array.from(text.matchAll(/\/mcp\?[\w=&]+|`\?[\w=&]+`/g), ([query]) => query.replace(/^[^?]*|`/g, "")),
    );
    assert.ok(queries.size >= 4);
    for (const query of queries) {
      const isOther = query.startsWith("?organization");
      const asked = isOther ? query.replace(/\d+/, String(stage.cast.organizationId)) : query;
      assert.ok((await (await connect(t, stage, stage.cast.alice, { query: asked })).names()).length > 0, query);
    }
  });

  it("names every tool", () => {
    const rows = text.match(/^\| (`\w+`(, )?)+ \|.*$/gm)?.join("\n") ?? "";
    const named = Array.from(rows.matchAll(/`(\w+)`(?=[^|\n]*\|[^|\n]*\|$)/gm), ([, name = ""]) => name);
    assert.deepEqual(named.toSorted(), tools.map(({ name }) => name).toSorted());
  });
});
