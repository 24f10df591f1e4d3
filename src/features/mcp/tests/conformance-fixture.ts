import { randomBytes } from "node:crypto";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { objectOf } from "../../../lib/foreign.ts";

// The tools, prompts and resources that the conformance suite needs, behind the route of the endpoint: they show that the route and the
// SDK carry what the endpoint's own tools do not use.

/** A transparent PNG of one pixel, and an empty WAV. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
const wav = Buffer.from(
  "RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\0\0\0\0",
  "latin1",
).toString("base64");

const cacheHint = { ttlMs: 1_000, cacheScope: "private" } as const;
const codec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });

const shapeOf = (properties: Record<string, object> = {}, more: object = {}) =>
  fromJsonSchema<Record<string, unknown>>({ type: "object", properties, ...more } as Parameters<
    typeof fromJsonSchema
  >[0]);

const text = (words: string) => ({ type: "text" as const, text: words });
const image = { type: "image" as const, data: png, mimeType: "image/png" };
const embedded = (uri: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType: "text/plain", text: words },
});
const answer = (words: string) => ({ content: [text(words)] });

/** Answers as the suite expects, of both revisions. */
export function createFixture(): (request: Request) => Promise<Response> {
  const { fetch } = createMcpHandler(makeServer, { maxSubscriptions: 0 });
  return (request) => fetch(request);
}

function makeServer(): McpServer {
  const server = new McpServer(
    { name: "fixture", version: "1.0.0" },
    {
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
      requestState: { verify: codec.verify },
      cacheHints: Object.fromEntries(
        [
          "tools/list",
          "prompts/list",
          "resources/list",
          "resources/templates/list",
          "resources/read",
          "server/discover",
        ].map((method) => [method, cacheHint]),
      ),
    },
  );
  addContents(server);
  addReports(server);
  addShapes(server);
  addQuestions(server);
  addPrompts(server);
  addResources(server);
  server.server.setRequestHandler("completion/complete", () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  return server;
}

function addContents(server: McpServer): void {
  const add = (name: string, content: ReturnType<typeof text | typeof embedded> | typeof image | object) =>
    server.registerTool(name, { description: "A fixture" }, () => ({ content: [content].flat() as never }));
  add("test_simple_text", text("This is a simple text response for testing."));
  add("test_image_content", image);
  add("test_audio_content", { type: "audio", data: wav, mimeType: "audio/wav" });
  add("test_embedded_resource", embedded("test://embedded-resource", "This is an embedded resource content."));
  add("test_multiple_content_types", [text("Several:"), image, embedded("test://mixed-content-resource", "{}")]);
  server.registerTool("test_error_handling", { description: "A fixture" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

function addReports(server: McpServer): void {
  const inputSchema = shapeOf();
  server.registerTool("test_tool_with_progress", { description: "A fixture", inputSchema }, async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100])
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
    return answer("Done.");
  });
  for (const name of ["test_tool_with_logging", "test_logging_tool"]) {
    server.registerTool(name, { description: "A fixture", inputSchema }, async (_, { mcpReq }) => {
      for (const words of ["started", "processing", "completed"]) await mcpReq.log("info", words);
      return answer("Done.");
    });
  }
}

function addShapes(server: McpServer): void {
  const address = {
    $anchor: "addressDef",
    type: "object",
    properties: { street: { type: "string" }, city: { type: "string" } },
  };
  const strings = Object.fromEntries(["name", "phone", "email"].map((name) => [name, { type: "string" }]));
  const inputSchema = shapeOf(
    { ...strings, address: { $ref: "#/$defs/address" }, contactMethod: { type: "string", enum: ["phone", "email"] } },
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: { address },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
  );
  server.registerTool("json_schema_2020_12_tool", { description: "A fixture", inputSchema }, () => answer("Fits."));
  const region = shapeOf({ region: { type: "string", "x-mcp-header": "Region" } }, { required: ["region"] });
  server.registerTool("test_custom_header", { description: "A fixture", inputSchema: region }, ({ region }) =>
    answer(String(region)),
  );
}

const form = (message: string, field: string, shape: { type: "string" } | { type: "boolean" } = { type: "string" }) =>
  inputRequired.elicit({
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { [field]: shape }, required: [field] },
  });
const question = (words: string) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: text(words) }], maxTokens: 100 });

function addQuestions(server: McpServer): void {
  const ask = (
    name: string,
    reply: (context: ServerContext) => Promise<ReturnType<typeof answer> | ReturnType<typeof inputRequired>>,
  ) =>
    server.registerTool(
      `test_input_required_result_${name}`,
      { description: "A fixture", inputSchema: shapeOf() },
      (_, context) => reply(context),
    );
  const has = ({ mcpReq }: ServerContext, key: string) => inputResponse(mcpReq.inputResponses, key).kind !== "missing";

  ask("elicitation", async ({ mcpReq }) => {
    const given = acceptedContent<{ name: string }>(mcpReq.inputResponses, "user_name");
    if (given) return answer(`Hello, ${given.name}!`);
    return inputRequired({ inputRequests: { user_name: form("What is your name?", "name") } });
  });
  ask("sampling", async (context) =>
    has(context, "capital_question")
      ? answer(JSON.stringify(context.mcpReq.inputResponses?.capital_question))
      : inputRequired({ inputRequests: { capital_question: question("What is the capital of France?") } }),
  );
  ask("list_roots", async (context) =>
    has(context, "client_roots")
      ? answer(JSON.stringify(context.mcpReq.inputResponses?.client_roots))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  );
  for (const name of ["request_state", "tampered_state"]) {
    ask(name, async (context) => {
      if (context.mcpReq.requestState<{ round: number }>()?.round === 1 && has(context, "confirm"))
        return answer("state-ok");
      const requestState = await codec.mint({ round: 1 }, context);
      return inputRequired({
        inputRequests: { confirm: form("Please confirm", "ok", { type: "boolean" }) },
        requestState,
      });
    });
  }
  ask("multiple_inputs", async (context) => {
    if (["user_name", "greeting", "client_roots"].every((key) => has(context, key))) return answer("All of them.");
    const inputRequests = {
      user_name: form("What is your name?", "name"),
      greeting: question("Generate a greeting"),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: 1 }, context) });
  });
  ask("multi_round", async (context) => {
    const round = context.mcpReq.requestState<{ round: number }>()?.round ?? 0;
    if (round === 2 && has(context, "step2")) return answer("After two rounds.");
    const next = round === 1 && has(context, "step1") ? 2 : 1;
    const inputRequests = { [`step${next}`]: form(`Step ${next}`, next === 1 ? "name" : "color") };
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: next }, context) });
  });
  ask("capabilities", async ({ mcpReq }) => {
    const { elicitation, sampling } = objectOf(objectOf(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]);
    return inputRequired({
      inputRequests: {
        ...(elicitation !== undefined && { name: form("What is your name?", "name") }),
        ...(sampling !== undefined && { greeting: question("Generate a greeting") }),
      },
      requestState: await codec.mint({ round: 1 }),
    });
  });
  server.registerTool("test_missing_capability", { description: "A fixture", inputSchema: shapeOf() }, () =>
    inputRequired({ inputRequests: { capital_question: question("What is the capital of France?") } }),
  );
  server.registerTool("test_streaming_elicitation", { description: "A fixture", inputSchema: shapeOf() }, () =>
    inputRequired({ inputRequests: { user_name: form("What is your name?", "name") } }),
  );
}

function addPrompts(server: McpServer): void {
  const user = <Content>(content: Content) => ({ role: "user" as const, content });
  server.registerPrompt("test_simple_prompt", { description: "A fixture" }, () => ({
    messages: [user(text("This is a simple prompt for testing."))],
  }));
  const two = shapeOf({ arg1: { type: "string" }, arg2: { type: "string" } }, { required: ["arg1", "arg2"] });
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "A fixture", argsSchema: two },
    ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  const uri = shapeOf({ resourceUri: { type: "string" } }, { required: ["resourceUri"] });
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A fixture", argsSchema: uri },
    (given) => ({
      messages: [user(embedded(String(given.resourceUri), "Embedded resource content for testing."))],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "A fixture" }, () => ({ messages: [user(image)] }));
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "A fixture" },
    ({ mcpReq }: ServerContext) => {
      const given = acceptedContent<{ context: string }>(mcpReq.inputResponses, "user_context");
      if (given) return { messages: [user(text(given.context))] };
      return inputRequired({ inputRequests: { user_context: form("What context should the prompt use?", "context") } });
    },
  );
}

function addResources(server: McpServer): void {
  const plain = { mimeType: "text/plain" };
  server.registerResource("static-text", "test://static-text", plain, ({ href: uri }) => ({
    contents: [{ uri, ...plain, text: "This is the content of the static text resource." }],
  }));
  server.registerResource("static-binary", "test://static-binary", { mimeType: "image/png" }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: "image/png", blob: png }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }],
  }));
}
