import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { freePort } from "../../../../stage/free-port.ts";
import { row, sql } from "../../../db/sql.ts";
import { call } from "../../../http/tests/support.ts";
import { objectOf } from "../../../lib/foreign.ts";
import { browserOf } from "../../accounts/tests/support.ts";
import { openProgramSite, type ProgramSite } from "../../sign-in/oauth/tests/support.ts";
import { openStage, type Stage } from "./support.ts";

const resourceMetadata = "/.well-known/oauth-protected-resource";
const serverMetadata = "/.well-known/oauth-authorization-server";

/** An assistant on the person's computer, as the official client has it. */
class Assistant implements OAuthClientProvider {
  readonly clientMetadataUrl: string;
  readonly redirectUrl = "http://127.0.0.1:41000/callback";
  readonly clientMetadata = { client_name: "Assistant", redirect_uris: [this.redirectUrl] };
  /** The page that it opens. */
  page: URL | undefined;
  private known: OAuthClientInformationMixed | undefined;
  private granted: OAuthTokens | undefined;
  private verifier = "";
  private discovered: Parameters<NonNullable<OAuthClientProvider["saveDiscoveryState"]>>[0] | undefined;

  constructor(clientId: string) {
    this.clientMetadataUrl = clientId;
  }
  state = () => "a state of the assistant";
  clientInformation = () => this.known;
  saveClientInformation = (known: OAuthClientInformationMixed) => {
    this.known = known;
  };
  tokens = () => this.granted;
  saveTokens = (tokens: OAuthTokens) => {
    this.granted = tokens;
  };
  redirectToAuthorization = (page: URL) => {
    this.page = page;
  };
  codeVerifier = () => this.verifier;
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  discoveryState = () => this.discovered;
  saveDiscoveryState: OAuthClientProvider["saveDiscoveryState"] = (state) => {
    this.discovered = state;
  };
}

describe("the MCP endpoint with OAuth", () => {
  let site: ProgramSite;
  let stage: Stage;
  before(async () => {
    site = await openProgramSite();
    const port = String(await freePort());
    const publicUrl = `http://127.0.0.1:${port}`;
    stage = await openStage({ port, publicUrl, mcpOauth: "on", monitorAllow: "127.0.0.1,::1" });
  });
  after(async () => {
    await stage?.close();
    site?.close();
  });

  const get = async (path: string) => objectOf(await (await fetch(`${stage.origin}${path}`)).json());
  const newClient = () =>
    new Client(
      { name: "Assistant", version: "1.0.0" },
      { capabilities: {}, versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
  const transportOf = (assistant: Assistant) =>
    new StreamableHTTPClientTransport(new URL(`${stage.origin}/mcp`), { authProvider: assistant });

  /** What the page of the console does for a person who approves. Returns the address that the browser is sent to. */
  async function approved(page: URL): Promise<URL> {
    const headers = await browserOf(stage.ctx, stage.cast.userIds.alice);
    const asked = await call(stage.app, "POST /api/v1/oauth-authorizations", {
      headers,
      body: Object.fromEntries(page.searchParams),
    });
    assert.equal(asked.status, 201, asked.text);
    const { user_code, oauth, permissions } = asked.body.data.program;
    assert.deepEqual([oauth.is_local, oauth.redirect_host], [true, "127.0.0.1:41000"]);
    const body = { name: "my assistant", permissions, organization_id: stage.cast.organizationId };
    const answer = await call(stage.app, `POST /api/v1/device-authorizations/${user_code}/approve`, { headers, body });
    assert.equal(answer.status, 200, answer.text);
    return new URL(answer.body.redirect_to);
  }

  it("sends a client that has no token to the page of the console, and serves it with the token that it gets", async (t) => {
    const assistant = new Assistant(site.clientId);
    const transport = transportOf(assistant);
    await assert.rejects(() => newClient().connect(transport), UnauthorizedError);
    const page = assistant.page;
    assert.ok(page);
    assert.equal(page.origin + page.pathname, `${stage.origin}/authorize`);
    const back = await approved(page);
    assert.equal(back.searchParams.get("state"), "a state of the assistant");
    await transport.finishAuth(back.searchParams);

    const client = newClient();
    await client.connect(transportOf(assistant));
    t.after(() => client.close());
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    assert.ok(names.includes("overview") && !names.includes("deploy"), "It has the permissions that were chosen.");
    const result = await client.callTool({ name: "overview", arguments: {} });
    assert.ok(!result.isError);

    const token = await row<{ id: number }>(stage.pool, sql`select id from tokens where name = 'my assistant'`);
    const headers = await browserOf(stage.ctx, stage.cast.userIds.alice);
    await call(stage.app, `DELETE /api/v1/me/tokens/${token?.id}`, { headers });
    await assert.rejects(() => client.callTool({ name: "overview", arguments: {} }), "The person has revoked it.");
  });

  it("refuses an answer of another issuer at the client, since it announces its own", async () => {
    const assistant = new Assistant(site.clientId);
    const transport = transportOf(assistant);
    await assert.rejects(() => newClient().connect(transport), UnauthorizedError);
    const back = await approved(assistant.page as URL);
    back.searchParams.set("iss", "https://evil.example");
    await assert.rejects(() => transport.finishAuth(back.searchParams), /iss/i);
    back.searchParams.delete("iss");
    await assert.rejects(() => transport.finishAuth(back.searchParams), /iss/i);
  });

  it("names where a token comes from, whatever host the request names", async () => {
    const answer = await fetch(`${stage.origin}/mcp`, { method: "POST" });
    assert.equal(answer.status, 401);
    assert.equal(
      answer.headers.get("www-authenticate"),
      `Bearer resource_metadata="${stage.origin}${resourceMetadata}/mcp"`,
    );
    const expired = await fetch(`${stage.origin}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer lsh_unknown" },
    });
    assert.equal(expired.headers.get("www-authenticate"), answer.headers.get("www-authenticate"));
    const api = await fetch(`${stage.origin}/api/v1/me`);
    assert.equal(api.headers.get("www-authenticate"), "Bearer");

    for (const path of [resourceMetadata, `${resourceMetadata}/mcp`]) {
      const metadata = await get(path);
      assert.deepEqual([metadata.resource, metadata.authorization_servers], [`${stage.origin}/mcp`, [stage.origin]]);
    }
    const { issuer, ...metadata } = await get(serverMetadata);
    assert.equal(issuer, stage.origin);
    assert.deepEqual(metadata.response_types_supported, ["code"]);
    assert.deepEqual(metadata.grant_types_supported, ["authorization_code"]);
    assert.deepEqual(metadata.code_challenge_methods_supported, ["S256"]);
    assert.deepEqual(metadata.token_endpoint_auth_methods_supported, ["none"]);
    assert.equal(metadata.client_id_metadata_document_supported, true);
    assert.equal(metadata.authorization_response_iss_parameter_supported, true);
    assert.equal(metadata.registration_endpoint, undefined);
  });
});

describe("the MCP endpoint without OAuth", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage({ publicUrl: "https://panel.example.com" });
  });
  after(() => stage?.close());

  it("has nothing of it, as by default", async () => {
    for (const path of [serverMetadata, resourceMetadata, `${resourceMetadata}/mcp`]) {
      assert.equal((await fetch(`${stage.origin}${path}`)).status, 404, path);
    }
    const form = new URLSearchParams({ grant_type: "authorization_code" });
    assert.equal((await fetch(`${stage.origin}/oauth/token`, { method: "POST", body: form })).status, 404);
    const headers = await browserOf(stage.ctx, stage.cast.userIds.alice);
    for (const body of [
      {},
      { client_id: "https://assistant.example.net/client.json", redirect_uri: "https://a.example/" },
    ])
      assert.equal((await call(stage.app, "POST /api/v1/oauth-authorizations", { headers, body })).status, 404);
    const answer = await fetch(`${stage.origin}/mcp`, { method: "POST" });
    assert.deepEqual([answer.status, answer.headers.get("www-authenticate")], [401, "Bearer"]);
  });
});
