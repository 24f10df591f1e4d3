import { Type } from "typebox";
import { projectOf } from "../names.ts";
import { type Call, Int, listOf, NullableText, Text, type Tool, tool } from "../tool.ts";
import { minuteOf } from "./records.ts";

interface Found {
  noun: string;
  id: number;
  name: string;
  context: string | null;
}

const find = tool({
  name: "find",
  title: "Find records by name",
  description: "Finds projects, servers, domains, databases, monitors and groups whose name contains a text.",
  input: Type.Object({ text: Type.String({ minLength: 1, maxLength: 100 }) }),
  output: Type.Object({
    results: listOf(Type.Object({ noun: Text, id: Int, name: Text, context: NullableText })),
  }),
  needs: ["GET /api/v1/search"],
  run: async ({ api, answer }, { text }) => {
    const { data } = await api.send<{ data: Found[] }>("GET /api/v1/search", { query: { q: text } });
    answer.say(data.length === 0 ? "Nothing that you reach has this text in its name." : `${data.length} found:`);
    answer.say(...data.map(({ noun, id, name }) => `- ${answer.name(noun, id, name)}`));
    answer.data = { results: data.map(({ noun, id, name, context }) => ({ noun, id, name, context })) };
  },
});

interface AttentionItem {
  kind: string;
  severity: string;
  subject: { noun: string; id: number; name: string };
  project_id: number | null;
  since: string;
  message: string;
  operation: string | null;
}

type Counts = Record<string, number> | null;

interface Overview {
  projects: Counts;
  servers: Counts;
  monitors: Counts;
  deployments: { running: { id: number }[]; today: number } | null;
}

const mostItems = 15;
const CountsOf = Type.Unsafe<Counts>({ type: ["object", "null"] });

const overview = tool({
  name: "overview",
  title: "Overview",
  description:
    "What needs attention, the worst first and each with the operation that mends it; what runs; counts by state.",
  input: Type.Object({}),
  output: Type.Object({
    attention: listOf(
      Type.Object({ kind: Text, severity: Text, noun: Text, id: Int, since: Text, operation: NullableText }),
    ),
    running: listOf(Int),
    projects: CountsOf,
    servers: CountsOf,
    monitors: CountsOf,
  }),
  needs: ["GET /api/v1/attention", "GET /api/v1/overview"],
  uses: ["GET /api/v1/projects", "GET /api/v1/projects/:id"],
  isOfProject: true,
  run: async (call) => {
    const { api, answer } = call;
    const only = call.narrowing.project === undefined ? undefined : (await projectOf(call, undefined)).id;
    const { data: all } = await api.send<{ data: AttentionItem[] }>("GET /api/v1/attention");
    const items = only === undefined ? all : all.filter((item) => item.project_id === only);
    answer.say(items.length === 0 ? "Nothing needs attention." : `Needs attention (${items.length}):`);
    for (const item of items.slice(0, mostItems)) {
      const { noun, id, name } = item.subject;
      const mends = item.operation === null ? "" : `; mended by ${item.operation}`;
      answer.say(
        `- ${item.severity}: ${item.kind}, ${answer.name(noun, id, name)}, since ${minuteOf(item.since)}${mends}`,
      );
    }
    answer.quote(
      "the messages about these",
      items
        .slice(0, mostItems)
        .map(({ message }) => message)
        .join("\n"),
    );
    const counts =
      only === undefined ? await sayCounts(call) : { running: [], projects: null, servers: null, monitors: null };
    answer.data = { attention: items.slice(0, mostItems).map(shownItem), ...counts };
  },
});

const shownItem = ({ kind, severity, subject, since, operation }: AttentionItem) => ({
  ...{ kind, severity, since, operation },
  ...{ noun: subject.noun, id: subject.id },
});

async function sayCounts({ api, answer }: Call) {
  const { data } = await api.send<{ data: Overview }>("GET /api/v1/overview");
  for (const noun of ["projects", "servers", "monitors"] as const) {
    const counts = Object.entries(data[noun] ?? {}).filter(([, count]) => count > 0);
    if (counts.length > 0) answer.say(`${noun}: ${counts.map(([state, count]) => `${count} ${state}`).join(", ")}.`);
  }
  const running = data.deployments?.running.map(({ id }) => id) ?? [];
  if (running.length > 0) answer.say(`Deployments that run or wait: ${running.join(", ")}.`);
  return { running, projects: data.projects, servers: data.servers, monitors: data.monitors };
}

export const findingTools: readonly Tool[] = [find, overview];
