import type { TestContext } from "node:test";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { openStage as openWhole, type Stage as Whole } from "../../servers/tests/support.ts";
import { mountOAuth } from "../../sign-in/oauth/endpoint.ts";
import { mountMcp } from "../endpoint.ts";

/** The whole application with its MCP endpoint, listening. */
export interface Stage extends Whole {
  origin: string;
}

/** `load`: what answers in place of the endpoint's own tools. */
export async function openStage(
  settings: Record<string, string> = {},
  load?: Parameters<typeof mountMcp>[2],
): Promise<Stage> {
  const stage = await openWhole({ mcpRateLimit: "1000000", ...settings });
  mountOAuth(stage.app, stage.ctx);
  mountMcp(stage.app, stage.ctx, load);
  const origin = await stage.app.listen({ host: "127.0.0.1", port: Number(settings.port ?? 0) });
  return { ...stage, origin };
}

export type Era = "2026-07-28" | "2025-11-25";

export interface Answered {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  data: any;
  isError: boolean;
}

export interface Connected {
  client: Client;
  call(name: string, args?: object): Promise<Answered>;
  names(): Promise<string[]>;
}

/** A client of the SDK with a token; closed with the test. */
export async function connect(
  t: TestContext,
  { origin }: Pick<Stage, "origin">,
  token: string,
  { query = "", era = "2026-07-28", options = {} }: { query?: string; era?: Era; options?: ClientOptions } = {},
): Promise<Connected> {
  const mode = era === "2026-07-28" ? { pin: era } : ("legacy" as const);
  const client = new Client(
    { name: "Test client", version: "1.2.3" },
    { capabilities: {}, versionNegotiation: { mode }, ...options },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp${query}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  t.after(() => client.close());
  return {
    client,
    call: async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
      const [first] = result.content as { text?: string }[];
      return { text: first?.text ?? "", data: result.structuredContent, isError: result.isError === true };
    },
    names: async () => (await client.listTools()).tools.map((tool) => tool.name),
  };
}
