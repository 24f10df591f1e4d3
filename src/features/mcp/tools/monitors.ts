import { Type } from "typebox";
import { OneOf } from "../../../http/schemas.ts";
import { projectOf } from "../names.ts";
import {
  type Call,
  Cursor,
  Int,
  listOf,
  NextCursor,
  OptionalInt,
  ProjectArgument,
  Text,
  type Tool,
  tool,
} from "../tool.ts";
import { minuteOf } from "./records.ts";

interface Monitor {
  id: number;
  name: string;
  type: string;
  current_status: string;
  project_id: number;
  last_status_changed_at: string | null;
}

interface MonitorEvent {
  status: string;
  message: string;
  context: { error?: string | null; output?: string; deployment?: { id: number; switched_at: string } };
  resolved_at: string | null;
}

const mostExplained = 5;

const monitors = tool({
  name: "monitors",
  title: "List monitors",
  description: "Monitors, those that are down first, with the reason and the deployment that went live shortly before.",
  input: Type.Object({
    project: ProjectArgument,
    state: Type.Optional(OneOf(["up", "down", "pending"])),
    cursor: Cursor,
  }),
  output: Type.Object({
    monitors: listOf(
      Type.Object({ id: Int, name: Text, type: Text, state: Text, project_id: Int, deployment_before: OptionalInt }),
    ),
    cursor: NextCursor,
  }),
  needs: ["GET /api/v1/monitors", "GET /api/v1/monitors/:id"],
  uses: ["GET /api/v1/projects", "GET /api/v1/projects/:id"],
  isOfProject: true,
  run: async (call, { project, state, cursor = "1" }) => {
    const { api, answer } = call;
    const isOfOne = project !== undefined || call.narrowing.project !== undefined;
    const page = await api.send<{ data: Monitor[]; current_page: number; total_pages: number }>(
      "GET /api/v1/monitors",
      {
        query: {
          project_id: isOfOne ? (await projectOf(call, project)).id : undefined,
          status: state,
          page: cursor,
          per_page: 20,
        },
      },
    );
    const down = page.data.filter((monitor) => monitor.current_status === "down").slice(0, mostExplained);
    const causes = new Map(await Promise.all(down.map(async ({ id }) => [id, await newestEvent(call, id)] as const)));
    answer.say(page.data.length === 0 ? "There are none." : "Monitors:");
    for (const monitor of page.data) sayMonitor(call, monitor, causes.get(monitor.id));
    const next = page.current_page < page.total_pages ? String(page.current_page + 1) : undefined;
    if (next) answer.say(`There are more: cursor ${next}.`);
    answer.data = {
      monitors: page.data.map((monitor) => shown(monitor, causes.get(monitor.id))),
      ...(next ? { cursor: next } : {}),
    };
  },
});

async function newestEvent({ api }: Call, id: number): Promise<MonitorEvent | undefined> {
  const { data } = await api.send<{ data: { events: MonitorEvent[] } }>("GET /api/v1/monitors/:id", { params: { id } });
  return data.events[0];
}

function sayMonitor({ answer }: Call, monitor: Monitor, event: MonitorEvent | undefined): void {
  const { id, name, current_status: state, project_id: projectId, last_status_changed_at: since } = monitor;
  const at = since === null ? "" : ` since ${minuteOf(since)}`;
  const before = event?.context.deployment;
  const cause = before ? `; deployment ${before.id} went live shortly before` : "";
  answer.say(`- ${answer.name("monitor", id, name)} of project ${projectId}: ${state}${at}${cause}`);
  if (!event) return;
  const { message, context } = event;
  answer.quote(`monitor ${id}`, [message, context.error, context.output].filter((each) => each).join("\n"));
}

const shown = (monitor: Monitor, event: MonitorEvent | undefined) => ({
  ...{ id: monitor.id, name: monitor.name, type: monitor.type },
  ...{ state: monitor.current_status, project_id: monitor.project_id },
  ...(event?.context.deployment ? { deployment_before: event.context.deployment.id } : {}),
});

export const monitorTools: readonly Tool[] = [monitors];
