import { Type } from "typebox";
import type { Plan } from "../../../http/dry-run.ts";
import { Refusal } from "../api.ts";
import { serverOf } from "../names.ts";
import {
  type Call,
  Cursor,
  Int,
  listOf,
  NextCursor,
  OptionalInt,
  OptionalText,
  planFields,
  ServerArgument,
  Text,
  type Tool,
  tool,
} from "../tool.ts";
import { sayPlan } from "./plans.ts";

interface Server {
  id: number;
  name: string;
  state?: string;
  public_ip?: string | null;
  projects_count?: number;
  accepts_projects?: boolean;
  connection_error?: string | null;
  connect_command?: string | null;
  usage?: { load: object; memory: object; disk: object; measured_at: string } | null;
  setup?: { state: string; attention_count: number };
}

const ShownServer = Type.Object({
  id: Int,
  name: Text,
  state: Text,
  public_ip: OptionalText,
  projects: OptionalInt,
  accepts_projects: Type.Optional(Type.Boolean()),
});

const shown = ({ id, name, state, public_ip: ip, projects_count: count, accepts_projects: accepts }: Server) => ({
  ...{ id, name, state: state ?? "out of reach" },
  ...(ip ? { public_ip: ip } : {}),
  ...(count === undefined ? {} : { projects: count }),
  ...(accepts === undefined ? {} : { accepts_projects: accepts }),
});

const listServers = tool({
  name: "list_servers",
  title: "List servers",
  description: "Servers with their states, and whether they accept projects.",
  input: Type.Object({ cursor: Cursor }),
  output: Type.Object({ servers: listOf(ShownServer), cursor: NextCursor }),
  needs: ["GET /api/v1/servers"],
  run: async ({ api, answer }, { cursor = "1" }) => {
    const page = await api.send<{ data: Server[]; current_page: number; total_pages: number }>("GET /api/v1/servers", {
      query: { page: cursor, per_page: 25 },
    });
    const next = page.current_page < page.total_pages ? String(page.current_page + 1) : undefined;
    answer.say(page.data.length === 0 ? "There are none." : "Servers:");
    for (const server of page.data) {
      answer.say(`- ${answer.name("server", server.id, server.name)}: ${server.state ?? "out of reach"}`);
    }
    if (next) answer.say(`There are more: cursor ${next}.`);
    answer.data = { servers: page.data.map(shown), ...(next ? { cursor: next } : {}) };
  },
});

interface Setup {
  state: string;
  attention: { label: string; status: string; detail: string | null }[];
  current_step: string | null;
  error: string | null;
}

const getServer = tool({
  name: "get_server",
  title: "Show a server",
  description: "State, room, the setup with what failed in it, and what can be done now.",
  input: Type.Object({ server: ServerArgument }),
  output: Type.Object({
    server: ShownServer,
    setup: Text,
    failed_steps: listOf(Text),
    usage: Type.Unsafe<object | null>({ type: ["object", "null"] }),
    actions: listOf(Text),
  }),
  needs: ["GET /api/v1/servers", "GET /api/v1/servers/:id"],
  uses: ["GET /api/v1/servers/:id/setup-steps", "GET /api/v1/servers/:id/actions"],
  run: async (call, { server: given }) => {
    const { api, answer } = call;
    const server = (await serverOf(call, given)) as Server;
    const params = { id: server.id };
    const [{ data: setup }, { data: actions }] = await Promise.all([
      api.send<{ data: Setup }>("GET /api/v1/servers/:id/setup-steps", { params }),
      api.send<{ data: Record<string, { is_allowed: boolean }> }>("GET /api/v1/servers/:id/actions", { params }),
    ]);
    const possible = Object.entries(actions).flatMap(([verb, { is_allowed: isAllowed }]) => (isAllowed ? [verb] : []));
    const name = answer.name("server", server.id, server.name);
    answer.say(
      `${name}: ${server.state}, ${server.public_ip ?? "no address yet"}, ${server.projects_count ?? 0} projects.`,
    );
    answer.say(`Setup: ${setup.state}.`, ...setup.attention.map(({ label, status }) => `- ${label}: ${status}`));
    answer.quote(`the setup of server ${server.id}`, detailsOf(setup));
    answer.quote(`the connection to server ${server.id}`, server.connection_error);
    if (server.connect_command) answer.say("To connect it, run this as root on the server:", server.connect_command);
    answer.say(`Possible now: ${possible.join(", ") || "nothing"}.`, `Page: ${call.page(`/servers/${server.id}`)}`);
    answer.data = {
      server: shown(server),
      setup: setup.state,
      failed_steps: setup.attention.map(({ label }) => label),
      usage: server.usage ?? null,
      actions: possible,
    };
  },
});

const detailsOf = ({ attention, error }: Setup): string =>
  [error, ...attention.map(({ label, detail }) => (detail === null ? null : `${label}: ${detail}`))]
    .filter((each) => each !== null)
    .join("\n");

const operatingSystems = "ubuntu_26_04, ubuntu_24_04, ubuntu_22_04, debian_12 or debian_13";

const connectServer = tool({
  name: "connect_server",
  title: "Connect a server",
  description:
    "Adds a server that exists, by its address, and answers with the command to run on it as root. Its setup begins by itself then: " +
    "get_server shows it.",
  input: Type.Object({
    name: Type.Optional(Type.String({ maxLength: 100 })),
    public_ip: Text,
    ssh_port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    os: Type.String({ description: operatingSystems }),
    database_engine: Type.Optional(Type.String({ description: "mariadb, postgresql or none" })),
  }),
  output: Type.Object({ server_id: Int, connect_command: Text }),
  needs: ["POST /api/v1/servers"],
  run: async (call, { name, public_ip: publicIp, ssh_port: port, os, database_engine: engine }) => {
    const added = await call.api.send<{ server_id: number; connect_command: string }>("POST /api/v1/servers", {
      body: {
        ...{ public_ip: publicIp, server_os: os, provider_type: "custom" },
        ...(name === undefined ? {} : { name }),
        ...(port === undefined ? {} : { ssh_port: port }),
        ...(engine === undefined ? {} : { database_engine: engine }),
      },
    });
    call.answer.say(`Server ${added.server_id} was added. Run this on it as root:`, added.connect_command);
    call.answer.say(`Its setup begins then. Page: ${call.page(`/servers/${added.server_id}`)}`);
    call.answer.data = { server_id: added.server_id, connect_command: added.connect_command };
  },
});

interface Provider {
  id: number;
  name: string;
  provider_type: "cloud_a" | "cloud_b" | "cloud_c";
}

/** How the fields of an order are called for each provider. */
const orderFields = {
  cloud_a: { location: "cloud_a_location", type: "cloud_a_server_type" },
  cloud_b: { location: "cloud_b_region", type: "cloud_b_instance_type" },
  cloud_c: { location: "cloud_c_region", type: "cloud_c_size" },
} as const;

const Order = Type.Object({
  provider: Type.Unsafe<string | number>({
    type: ["string", "integer"],
    description: "Id or exact name of the connection",
  }),
  location: Text,
  type: Type.String({ description: "The provider's name of the machine type" }),
  os: Type.String({ description: "ubuntu_26_04, ubuntu_24_04 or ubuntu_22_04" }),
  name: Type.Optional(Type.String({ maxLength: 100 })),
  database_engine: Type.Optional(Type.String({ description: "mariadb, postgresql or none" })),
  more: Type.Optional(Type.Unsafe<object>({ type: "object", description: "More fields of POST /servers" })),
});

const orderServer = tool({
  name: "order_server",
  title: "Order a server",
  description:
    "Orders a machine at a connected cloud provider, which bills it. The first call answers with the price. Locations and types: " +
    "call_operation getServerProvidersIdOptions.",
  input: Order,
  output: Type.Object({ ...planFields, server_id: OptionalInt }),
  needs: ["POST /api/v1/servers", "GET /api/v1/server-providers"],
  plan: async (call, args) => {
    const { plan } = await call.api.send<{ plan: Plan }>("POST /api/v1/servers", {
      query: { dry_run: 1 },
      body: await orderOf(call, args),
    });
    call.answer.say("This machine would be ordered, and billed by the provider until it is deleted.");
    sayPlan(call.answer, plan);
    return { plan };
  },
  run: async (call, args, confirmationId) => {
    const { server_id: id } = await call.api.send<{ server_id: number }>("POST /api/v1/servers", {
      body: await orderOf(call, args),
      ...(confirmationId === undefined ? {} : { idempotencyKey: confirmationId }),
    });
    call.answer.say(`Server ${id} was ordered. It is built and set up by itself: get_server shows it.`);
    call.answer.say(`Page: ${call.page(`/servers/${id}`)}`);
    call.answer.data = { server_id: id };
  },
});

async function orderOf(
  call: Call,
  args: {
    provider: string | number;
    location: string;
    type: string;
    os: string;
    name?: string;
    database_engine?: string;
    more?: object;
  },
): Promise<object> {
  const { data } = await call.api.send<{ data: Provider[] }>("GET /api/v1/server-providers");
  const found = data.filter(({ id, name }) => String(id) === String(args.provider) || name === args.provider);
  const [provider] = found;
  if (!provider || found.length > 1) {
    call.answer.say(
      ...data.map((each) => `- ${call.answer.name("connection", each.id, each.name)}: ${each.provider_type}`),
    );
    throw new Refusal(404, { message: "No single connection to a provider has this id or name." });
  }
  const fields = orderFields[provider.provider_type];
  return {
    ...args.more,
    ...{ provider_type: provider.provider_type, provider_id: provider.id, server_os: args.os },
    [fields.location]: args.location,
    [fields.type]: args.type,
    ...(args.name === undefined ? {} : { name: args.name }),
    ...(args.database_engine === undefined ? {} : { database_engine: args.database_engine }),
  };
}

export const serverTools: readonly Tool[] = [listServers, getServer, connectServer, orderServer];
