import { Type } from "typebox";
import { OneOf } from "../../../http/schemas.ts";
import { Refusal } from "../api.ts";
import { projectOf, serverOf } from "../names.ts";
import { type Call, Int, OptionalInt, ProjectArgument, Text, type Tool, tool } from "../tool.ts";
import { deploymentOf } from "./deployments.ts";
import type { Deployment } from "./records.ts";

const mostLines = 60;
const shownLines = 40;

interface LogPage {
  data: { text: string; first_line: number }[];
  total_lines: number;
}

interface Matches {
  matches: { line: number; text: string }[];
  total: number | null;
  next_line: number | null;
}

/** A log of the API: where a part of it is read, and where it is searched. */
interface Log {
  title: string;
  params: Record<string, number>;
  read: string;
  search: string;
  pageOf: (body: unknown) => LogPage;
  /** The line with which the last lines of a failed step begin. */
  failureLine?: () => Promise<number | undefined>;
}

const deploymentPath = "/api/v1/deployments/:id";
const commandPath = "/api/v1/projects/:id/commands/:commandId";
const setupPath = "/api/v1/servers/:id/setup-log";

const readLog = tool({
  name: "read_log",
  title: "Read a log",
  description:
    "The log of a deployment, of a command of a project, or of a server's setup: from the failed step, from the end, from a line, or " +
    "the lines that contain a text.",
  input: Type.Object({
    deployment: Type.Optional(Type.Integer({ minimum: 1 })),
    project: ProjectArgument,
    command: Type.Optional(Type.Integer({ minimum: 1, description: "Of the project" })),
    server: Type.Optional(Type.Unsafe<string | number>({ type: ["string", "integer"], description: "For its setup" })),
    from: Type.Optional(OneOf(["failure", "end"], { description: "Default: failure" })),
    from_line: Type.Optional(Type.Integer({ minimum: 1 })),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    lines: Type.Optional(Type.Integer({ minimum: 1, maximum: mostLines })),
  }),
  output: Type.Object({
    first_line: OptionalInt,
    next_line: OptionalInt,
    total_lines: OptionalInt,
    matches: OptionalInt,
  }),
  needs: [`GET ${deploymentPath}`, `GET ${deploymentPath}/log`, `GET ${deploymentPath}/log/search`],
  uses: [
    `GET ${commandPath}`,
    `GET ${commandPath}/log/search`,
    `GET ${setupPath}`,
    `GET ${setupPath}/search`,
    ...["GET /api/v1/projects", "GET /api/v1/projects/:id", "GET /api/v1/servers", "GET /api/v1/servers/:id"],
  ],
  isOfProject: true,
  run: async (call, args) => {
    const log = await logOf(call, args);
    if (args.search !== undefined) return searchLog(call, log, args.search, args.from_line);
    const lines = args.lines ?? shownLines;
    const failure = args.from !== "end" && args.from_line === undefined ? await log.failureLine?.() : undefined;
    const from = args.from_line ?? failure;
    const body = await call.api.send(log.read, {
      params: log.params,
      query: from === undefined ? { tail: lines } : { from_line: from, max_lines: lines },
    });
    sayPage(call, log, log.pageOf(body));
  },
});

function sayPage({ answer }: Call, log: Log, page: LogPage): void {
  const first = page.data[0]?.first_line;
  if (first === undefined) {
    answer.say(`${log.title} has no lines here; it has ${page.total_lines} in all.`);
    answer.data = { total_lines: page.total_lines };
    return;
  }
  const text = page.data.map((part) => part.text).join("");
  const lines = text.replace(/\n$/, "").split("\n");
  const next = first + lines.length;
  answer.say(`${log.title}: lines ${first} to ${next - 1} of ${page.total_lines}.`);
  answer.quote(`${log.title}, from line ${first}`, lines.join("\n"));
  answer.data = {
    first_line: first,
    total_lines: page.total_lines,
    ...(next <= page.total_lines ? { next_line: next } : {}),
  };
}

async function searchLog({ api, answer }: Call, log: Log, text: string, fromLine: number | undefined): Promise<void> {
  const found = await api.send<Matches>(log.search, { params: log.params, query: { q: text, from_line: fromLine } });
  answer.say(`${log.title}: ${found.total ?? found.matches.length} lines contain the text.`);
  if (found.next_line !== null) answer.say(`There are more: from_line ${found.next_line}.`);
  answer.quote(
    `${log.title}`,
    found.matches
      .slice(0, mostLines)
      .map(({ line, text: each }) => `${line}: ${each}`)
      .join("\n"),
  );
  answer.data = {
    matches: found.matches.length,
    ...(found.next_line === null ? {} : { next_line: found.next_line }),
  };
}

async function logOf(
  call: Call,
  given: { deployment?: number; project?: string | number; command?: number; server?: string | number },
): Promise<Log> {
  const { deployment, command, server } = given;
  if ([deployment, command, server].filter((each) => each !== undefined).length !== 1) {
    throw new Refusal(422, { message: "Name one of these: a deployment, a command with its project, or a server." });
  }
  if (deployment !== undefined) return deploymentLog(call, deployment);
  return command === undefined ? setupLog(call, server ?? "") : commandLog(call, given.project, command);
}

async function deploymentLog(call: Call, id: number): Promise<Log> {
  await deploymentOf(call, id);
  return {
    title: `The log of deployment ${id}`,
    params: { id },
    read: `GET ${deploymentPath}/log`,
    search: `GET ${deploymentPath}/log/search`,
    pageOf: (body) => body as LogPage,
    failureLine: async () => {
      const { steps = [] } = await call.api.send<Deployment>(`GET ${deploymentPath}`, { params: { id } });
      const failed = steps.find((step) => step.status === "failed");
      if (!failed || failed.first_line === null) return undefined;
      return Math.max(failed.first_line, failed.first_line + failed.lines - shownLines);
    },
  };
}

async function commandLog(call: Call, project: string | number | undefined, commandId: number): Promise<Log> {
  const { id } = await projectOf(call, project);
  return {
    title: `The output of command ${commandId}`,
    params: { id, commandId },
    read: `GET ${commandPath}`,
    search: `GET ${commandPath}/log/search`,
    pageOf: (body) => (body as { data: { log: LogPage } }).data.log,
  };
}

async function setupLog(call: Call, server: string | number): Promise<Log> {
  if (call.narrowing.project !== undefined) {
    throw new Refusal(403, { message: "This connection is for one project only: its address has project=…" });
  }
  const { id } = await serverOf(call, server);
  return {
    title: `The log of the setup of server ${id}`,
    params: { id },
    read: `GET ${setupPath}`,
    search: `GET ${setupPath}/search`,
    pageOf: (body) => body as LogPage,
  };
}

const projectLogs = tool({
  name: "project_logs",
  title: "Read what a project logs",
  description:
    "The last lines of a project's access log, error log, PHP log or output of its processes, as they are on the server now.",
  input: Type.Object({
    project: ProjectArgument,
    type: Type.Union(
      ["access", "error", "php", "output", "app"].map((type) => Type.Literal(type)),
      { type: "string", description: "output: of a Node project" },
    ),
    since: Type.Optional(Type.String({ description: "ISO 8601" })),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    lines: Type.Optional(Type.Integer({ minimum: 1, maximum: mostLines })),
  }),
  output: Type.Object({ type: Text, lines: Int }),
  needs: ["GET /api/v1/projects/:id/logs", "GET /api/v1/projects", "GET /api/v1/projects/:id"],
  isOfProject: true,
  run: async (call, { project, type, since, search, lines = shownLines }) => {
    const { id, name } = await projectOf(call, project);
    const { data } = await call.api.send<{ data: { lines: string[] } }>("GET /api/v1/projects/:id/logs", {
      params: { id },
      query: { type, since, q: search, lines },
    });
    call.answer.say(`${data.lines.length} lines of the ${type} log of ${call.answer.name("project", id, name)}.`);
    call.answer.quote(`the ${type} log of project ${id}`, data.lines.join("\n"));
    call.answer.data = { type, lines: data.lines.length };
  },
});

export const logTools: readonly Tool[] = [readLog, projectLogs];
