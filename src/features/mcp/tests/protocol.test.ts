import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { connect, type Era, openStage, type Stage } from "./support.ts";

const eras = ["2026-07-28", "2025-11-25"] satisfies Era[];

describe("the MCP endpoint", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage({ publicUrl: "https://panel.example.com", corsOrigins: "https://ide.example.com" });
  });
  after(() => stage?.close());

  for (const era of eras) {
    it(`serves clients of ${era}`, async (t) => {
      const { client, call } = await connect(t, stage, stage.cast.alice, { era });
      assert.equal(client.getNegotiatedProtocolVersion(), era);
      assert.equal(client.getServerVersion()?.name, "longshore");
      assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: false } });
      assert.match(client.getInstructions() ?? "", /Untrusted content from/);
      const answer = await call("overview");
      assert.equal(answer.text, "Nothing needs attention.");
      assert.deepEqual(answer.data.attention, []);
    });
  }

  /** One request with headers that fetch does not let a program set. */
  const send = (
    headers: Record<string, string>,
    { method = "POST", path = "/mcp", body = discover as string | undefined } = {},
  ) =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(stage.origin);
      const given = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
      const sent = request({ hostname, port, path, method, headers: given }, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part) => {
          text += part;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      sent.on("error", reject);
      sent.end(method === "POST" ? body : undefined);
    });

  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "Raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const messageOf = (method: string, params: object = {}) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: envelope } });
  const discover = messageOf("server/discover");
  const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" };
  const bearer = () => ({ authorization: `Bearer ${stage.cast.alice}` });

  it("lets clients keep the list of tools and the description of the server for five minutes", async () => {
    const discovered = await send({ ...modern, ...bearer() });
    assert.equal(discovered.status, 200, discovered.text);
    const listed = await send(
      { ...modern, ...bearer(), "mcp-method": "tools/list" },
      { body: messageOf("tools/list") },
    );
    for (const { text } of [discovered, listed]) {
      const { result } = JSON.parse(text);
      assert.deepEqual([result.ttlMs, result.cacheScope, result.resultType], [300_000, "private", "complete"]);
    }
  });

  it("answers requests without a valid token with 401", async () => {
    for (const authorization of [undefined, "", "Bearer lsh_unknown", "Basic YTpi"]) {
      const headers = authorization === undefined ? modern : { ...modern, authorization };
      const answer = await send(headers);
      assert.equal(answer.status, 401);
      assert.equal(answer.headers["www-authenticate"], "Bearer");
    }
  });

  it("takes no session, which browsers send for pages of other sites as well", async () => {
    const answer = await send({ ...modern, cookie: `longshore.session_token=${"a".repeat(32)}.${"A".repeat(43)}=` });
    assert.equal(answer.status, 401);
  });

  it("has only POST", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await send(bearer(), { method });
      assert.deepEqual([answer.status, answer.headers.allow], [405, "POST"], method);
    }
  });

  it("refuses hosts that are not its own, against DNS rebinding", async () => {
    for (const host of ["evil.example.net", "panel.example.com.evil.net", "localhost.evil.net:80"]) {
      assert.equal((await send({ ...modern, ...bearer(), host })).status, 403, host);
    }
    for (const host of ["panel.example.com", "localhost:8080", "127.0.0.1", "[::1]:3000", "192.0.2.7:8080"]) {
      assert.equal((await send({ ...modern, ...bearer(), host })).status, 200, host);
    }
  });

  it("refuses pages of other sites", async () => {
    for (const origin of [
      "https://evil.example.net",
      "null",
      "https://192.0.2.7",
      "https://panel.example.com.evil.net",
    ]) {
      assert.equal((await send({ ...modern, ...bearer(), origin })).status, 403, origin);
    }
    for (const origin of ["https://panel.example.com", "http://localhost:6274", "https://ide.example.com"]) {
      assert.equal((await send({ ...modern, ...bearer(), origin })).status, 200, origin);
    }
  });

  it("refuses a restriction that it does not know, rather than to work without it", async () => {
    for (const query of [
      "?readonly=1",
      "?read_only=yes",
      "?read_only=",
      "?organization=acme",
      "?project=",
      "?read_only=1&read_only=0",
    ]) {
      const answer = await send({ ...modern, ...bearer() }, { path: `/mcp${query}` });
      assert.equal(answer.status, 422, query);
    }
  });

  it("checks the headers of the protocol against the message", async () => {
    const answer = await send({ ...modern, ...bearer(), "mcp-method": "tools/call" });
    assert.equal(answer.status, 400, answer.text);
  });

  it("answers bodies that are no messages as the protocol has it", async () => {
    const broken = await send({ ...modern, ...bearer() }, { body: "{" });
    assert.deepEqual([broken.status, JSON.parse(broken.text).error.code], [400, -32_700]);
    const form = await send({ ...modern, ...bearer(), "content-type": "text/plain" });
    assert.equal(form.status, 415);
  });

  it("offers no subscriptions, which it does not declare", async () => {
    const answer = await send(
      { ...modern, ...bearer(), "mcp-method": "subscriptions/listen" },
      { body: messageOf("subscriptions/listen", { notifications: { toolsListChanged: true } }) },
    );
    assert.match(answer.text, /"error"/);
  });

  it("names the client in the audit log, as data of at most 64 characters", async (t) => {
    const { call } = await connect(t, stage, stage.cast.alice, {
      options: { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    });
    await call("connect_server", { public_ip: "10.9.9.9", os: "debian_12", name: "audited" });
    const entry = await row<{ client: object; ip: string }>(
      stage.pool,
      sql`select client, host(ip) as ip from audit_log where action = 'POST /api/v1/servers' order by id desc limit 1`,
    );
    assert.deepEqual(entry, { client: { kind: "mcp", name: "Test-client", version: "1.2.3" }, ip: "127.0.0.1" });
  });
});

describe("the rate limit of MCP", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage({ mcpRateLimit: "5", rateLimit: "3" });
  });
  after(() => stage?.close());

  it("counts requests to /mcp apart from those to the API, and not what a tool sends to the API", async (t) => {
    // The first request is that of the connect.
    const { call } = await connect(t, stage, stage.cast.alice);
    for (let at = 0; at < 4; at++) {
      const { isError, text } = await call("overview");
      assert.equal(isError, false, text);
    }
    await assert.rejects(() => call("overview"), /More than 5 requests in a minute/);
    const api = await fetch(`${stage.origin}/api/v1/overview`, {
      headers: { authorization: `Bearer ${stage.cast.alice}` },
    });
    assert.deepEqual([api.status, api.headers.get("x-ratelimit-remaining")], [200, "2"]);
  });

  it("counts each message of a request", async () => {
    const message = { jsonrpc: "2.0", method: "ping", id: 1 };
    const answer = await fetch(`${stage.origin}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${stage.cast.victor}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(Array.from({ length: 6 }, (_, id) => ({ ...message, id }))),
    });
    assert.equal(answer.status, 429);
  });
});
