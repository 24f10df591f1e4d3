import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { connect, type Era, openStage, type Stage } from "./support.ts";

describe("the MCP endpoint", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  for (const era of ["2026-07-28", "2025-11-25"] satisfies Era[]) {
    it(`serves clients of ${era}`, async (t) => {
      const { client, call } = await connect(t, stage, stage.cast.alice, { era });
      assert.equal(client.getNegotiatedProtocolVersion(), era);
      const { tools } = await client.listTools();
      console.log(tools.map((x) => [x.name, JSON.stringify(x).length, JSON.stringify(x.inputSchema).length, JSON.stringify(x.outputSchema).length, x.description?.length].join(" ")).join("\n"), JSON.stringify(tools.find((x) => x.name === "deploy")));
      const answer = await call("overview");
      console.log(answer);
      assert.equal(answer.isError, false);
    });
  }
});
