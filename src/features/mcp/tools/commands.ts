import { setTimeout as delay } from "node:timers/promises";
import { Type } from "typebox";
import { projectOf } from "../names.ts";
import { type Call, OptionalInt, ProjectArgument, planFields, Text, type Tool, tool, WaitSeconds } from "../tool.ts";

const shownLines = 60;
const askEveryMs = 700;
const commandPath = "/api/v1/projects/:id/commands/:commandId";

interface Command {
  id: number;
  status: string;
  exit_code: number | null;
  error: string | null;
  log: { data: { text: string }[]; total_lines: number };
}

const runCommand = tool({
  name: "run_command",
  title: "Run a command",
  description:
    "Runs a shell command once in the live release of a project, as its user and with its environment variables, and waits for its " +
    "output. It changes whatever the command changes.",
  input: Type.Object({
    project: ProjectArgument,
    command: Type.String({ minLength: 1, maxLength: 4_000 }),
    timeout_seconds: Type.Optional(Type.Integer({ minimum: 1 })),
    wait_seconds: WaitSeconds,
  }),
  output: Type.Object({
    ...planFields,
    command_id: OptionalInt,
    state: Type.Optional(Text),
    exit_status: Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"] })),
    total_lines: OptionalInt,
  }),
  needs: [
    "POST /api/v1/projects/:id/commands",
    `GET ${commandPath}`,
    "GET /api/v1/projects",
    "GET /api/v1/projects/:id",
  ],
  isOfProject: true,
  plan: async ({ answer, ...call }, { project, command }) => {
    const { id, name } = await projectOf({ answer, ...call }, project);
    answer.say(`This command would run in the live release of ${answer.name("project", id, name)}. Nothing undoes it.`);
    answer.quote("the arguments of this call", command);
    return { plan: undefined };
  },
  run: async (call, { project, command, timeout_seconds: timeout, wait_seconds: seconds = 25 }, confirmationId) => {
    const { id } = await projectOf(call, project);
    const { data: begun } = await call.api.send<{ data: { id: number } }>("POST /api/v1/projects/:id/commands", {
      params: { id },
      body: { command, ...(timeout === undefined ? {} : { timeout_seconds: timeout }) },
      ...(confirmationId === undefined ? {} : { idempotencyKey: confirmationId }),
    });
    sayEnd(call, id, await awaitEnd(call, { id, commandId: begun.id }, seconds));
  },
});

async function awaitEnd(call: Call, params: { id: number; commandId: number }, seconds: number): Promise<Command> {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const { data } = await call.api.send<{ data: Command }>(`GET ${commandPath}`, {
      params,
      query: { tail: shownLines },
    });
    const isEnded = ["succeeded", "failed", "cancelled"].includes(data.status);
    if (isEnded || performance.now() > deadline || call.signal.aborted) return data;
    await call.progress(0, 0, `Command ${params.commandId}: ${data.status}`);
    await delay(askEveryMs);
  }
}

function sayEnd({ answer }: Call, projectId: number, command: Command): void {
  const { id, status, exit_code: exit, error, log } = command;
  answer.say(`Command ${id} of project ${projectId}: ${status}${exit === null ? "" : `, exit status ${exit}`}.`);
  if (status === "queued" || status === "running") {
    answer.say(`It has not ended. Continue with read_log, project ${projectId} and command ${id}.`);
  }
  answer.quote(`the error of command ${id}`, error);
  answer.quote(`the output of command ${id}`, log.data.map(({ text }) => text).join(""));
  answer.data = { command_id: id, state: status, exit_status: exit, total_lines: log.total_lines };
}

export const commandTools: readonly Tool[] = [runCommand];
