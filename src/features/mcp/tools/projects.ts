import { Type } from "typebox";
import { type Project, projectOf, serverOf } from "../names.ts";
import {
  type Call,
  Int,
  listOf,
  NullableText,
  ProjectArgument,
  ServerArgument,
  Text,
  type Tool,
  tool,
  WaitSeconds,
} from "../tool.ts";
import { follow, followingRoutes, reportEnd } from "./following.ts";
import { type Deployment, ShownDeployment, sentenceOf, shown } from "./records.ts";

const findingProjects = ["GET /api/v1/projects", "GET /api/v1/projects/:id"];
const findingServers = ["GET /api/v1/servers", "GET /api/v1/servers/:id"];

const getProject = tool({
  name: "get_project",
  title: "Show a project",
  description:
    "State, address, live commit, last deployments, domains, names of environment variables (never values), and what can be done now.",
  input: Type.Object({ project: ProjectArgument }),
  output: Type.Object({
    id: Int,
    name: Text,
    state: Text,
    url: Text,
    server_id: Int,
    live_commit: NullableText,
    has_pending_changes: Type.Boolean(),
    deployments: listOf(ShownDeployment),
    domains: listOf(Text),
    variables: listOf(Text),
    actions: listOf(Text),
  }),
  needs: findingProjects,
  uses: [
    "GET /api/v1/projects/:id/deployments",
    "GET /api/v1/projects/:id/environment-variables",
    "GET /api/v1/projects/:id/actions",
  ],
  isOfProject: true,
  run: async (call, { project }) => {
    const { answer } = call;
    const found = await projectOf(call, project);
    const parts = await partsOf(call, found.id);
    const name = answer.name("project", found.id, found.name);
    const live = found.live_deployment;
    answer.say(
      `${name[0]?.toUpperCase()}${name.slice(1)}: ${found.state}, ${answer.word("its address", hostOf(found.url))}.`,
    );
    answer.say(`Server: ${answer.name("server", found.server_id, found.server?.name)}.`);
    answer.say(
      live ? `Live: deployment ${live.id} at ${live.commit_id?.slice(0, 10) ?? "(no commit)"}.` : "Nothing is live.",
    );
    if (found.has_pending_changes)
      answer.say("Settings or variables were changed since: they apply with the next deployment.");
    answer.say("Last deployments:", ...parts.deployments.map((each) => `- ${sentenceOf(answer, each)}`));
    const newest = parts.deployments[0];
    if (newest?.error) answer.quote(`the reason of deployment ${newest.id}`, newest.error);
    const [short, long] = namesBySize(parts.variables);
    answer.say(`Variables: ${short.join(", ") || "none"}${long.length > 0 ? `, and ${long.length} below` : ""}.`);
    answer.quote("names of variables", long.join("\n"));
    answer.say(`Possible now: ${parts.actions.join(", ")}.`, `Page: ${call.page(`/projects/${found.id}`)}`);
    answer.data = {
      ...{ id: found.id, name: found.name, state: found.state, url: found.url, server_id: found.server_id },
      live_commit: live?.commit_id ?? null,
      has_pending_changes: found.has_pending_changes ?? false,
      deployments: parts.deployments.map(shown),
      domains: parts.domains,
      variables: parts.variables.map(({ name: each }) => each),
      actions: parts.actions,
    };
  },
});

/** Long ones could be read as a sentence. */
const namesBySize = (variables: readonly { name: string }[]): [short: string[], long: string[]] => {
  const names = variables.map(({ name }) => name);
  return [names.filter((name) => name.length <= 40), names.filter((name) => name.length > 40)];
};

const hostOf = (url: string): string => url.replace(/^https?:\/\//, "");

async function partsOf({ api }: Call, id: number) {
  const params = { id };
  const [{ data: deployments }, { data: variables }, { data: actions }, whole] = await Promise.all([
    api.send<{ data: Deployment[] }>("GET /api/v1/projects/:id/deployments", { params, query: { per_page: 5 } }),
    api.send<{ data: { name: string }[] }>("GET /api/v1/projects/:id/environment-variables", { params }),
    api.send<{ data: Record<string, { is_allowed: boolean }> }>("GET /api/v1/projects/:id/actions", { params }),
    api.send<Project & { domains: { domain_name: string }[] }>("GET /api/v1/projects/:id", { params }),
  ]);
  const possible = Object.entries(actions).filter(([, { is_allowed: isAllowed }]) => isAllowed);
  return {
    deployments,
    variables,
    actions: possible.map(([verb]) => verb),
    domains: whole.domains.map(({ domain_name: name }) => name),
  };
}

interface Proposal {
  value: string | string[];
  reason: string;
}

interface Detection {
  framework: { id: number; name: string; label: string; reason: string } | null;
  notes: string[];
  [setting: string]: unknown;
}

const GitSource = {
  repository: Type.String({ description: "Address or owner/name" }),
  host: Type.Optional(
    Type.String({ description: "git_host_a GitHub, git_host_b GitLab, git_host_c Bitbucket; default: git" }),
  ),
  branch: Type.Optional(Type.String({ description: "Default: main" })),
  directory: Type.Optional(Type.String({ description: "The application's, within the repository" })),
};

const proposeProject = tool({
  name: "propose_project",
  title: "Propose the settings of a project",
  description: "Reads a repository and proposes framework, commands and paths with their reasons. Creates nothing.",
  input: Type.Object({ server: ServerArgument, ...GitSource }),
  output: Type.Object({
    framework_id: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
    settings: Type.Unsafe<object>({ type: "object", description: "For create_project" }),
    notes: listOf(Text),
  }),
  needs: ["POST /api/v1/projects/detect", ...findingServers],
  run: async (call, { server, repository, host = "git", branch = "main", directory }) => {
    const { answer } = call;
    const { data } = await call.api.send<{ data: Detection }>("POST /api/v1/projects/detect", {
      body: {
        server_id: (await serverOf(call, server)).id,
        git_repository: { repo: repository, type: host, branch },
        ...(directory ? { directory } : {}),
      },
    });
    const settings = settingsOf(data);
    answer.say(
      data.framework ? `Framework ${data.framework.id} (${data.framework.label}).` : "No framework was found.",
    );
    answer.say(`Settings with a proposal: ${Object.keys(settings).join(", ") || "none, the defaults are right"}.`);
    answer.say("Continue with create_project.");
    answer.quote("the repository, read by the detection", [...reasonsOf(data), ...data.notes].join("\n"));
    answer.data = { framework_id: data.framework?.id ?? null, settings, notes: data.notes };
  },
});

/** The proposals under the names that create_project takes. */
function settingsOf({ framework, notes, ...proposals }: Detection): Record<string, unknown> {
  const inCommands: Record<string, string> = {
    start_command: "dev",
    build_command: "build",
    deployment_script: "custom",
    directory: "directory",
  };
  const settings: Record<string, unknown> = {};
  const commands: Record<string, unknown> = {};
  for (const [name, proposal] of Object.entries(proposals)) {
    const value = (proposal as Proposal | null)?.value;
    if (value === undefined || name === "node_version") continue;
    const command = inCommands[name];
    if (command === undefined) settings[name] = value;
    else commands[command] = value;
  }
  return Object.keys(commands).length > 0 ? { ...settings, custom_commands: commands } : settings;
}

const reasonsOf = (detection: Detection): string[] =>
  Object.entries(detection).flatMap(([name, proposal]) => {
    const { value, reason } = (proposal ?? {}) as Partial<Proposal>;
    return reason === undefined ? [] : [`${name}: ${value === undefined ? "" : `${String(value)} — `}${reason}`];
  });

const createProject = tool({
  name: "create_project",
  title: "Create a project",
  description:
    "Creates a project from a repository and waits for its first deployment. Take framework_id and settings from propose_project.",
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    server: ServerArgument,
    domain: Type.String({ description: "One host name" }),
    framework_id: Int,
    ...GitSource,
    environment_variables: Type.Optional(Type.String({ description: "Lines NAME=value" })),
    https: Type.Optional(Type.Boolean({ description: "Order a certificate; default: false" })),
    settings: Type.Optional(Type.Unsafe<object>({ type: "object", description: "More fields of POST /projects" })),
    wait_seconds: WaitSeconds,
  }),
  output: Type.Object({ project_id: Int, deployment: Type.Optional(ShownDeployment) }),
  needs: ["POST /api/v1/projects", "GET /api/v1/projects/:id/deployments", ...findingServers, ...followingRoutes],
  run: async (call, args) => {
    const { project_id: given } = await call.api.send<{ project_id: string }>("POST /api/v1/projects", {
      body: await projectRequestOf(call, args),
    });
    const id = Number(given);
    call.answer.say(`Project ${id} was created: ${call.page(`/projects/${id}`)}`);
    const { data } = await call.api.send<{ data: Deployment[] }>("GET /api/v1/projects/:id/deployments", {
      params: { id },
    });
    const first = data[0];
    call.answer.data = { project_id: id };
    if (!first) return;
    const ended = await follow(call, first.id, args.wait_seconds ?? 25);
    call.answer.data = { project_id: id, deployment: await reportEnd(call, ended) };
  },
});

async function projectRequestOf(
  call: Call,
  args: {
    name: string;
    server: string | number;
    domain: string;
    framework_id: number;
    repository: string;
    host?: string;
    branch?: string;
    directory?: string;
    environment_variables?: string;
    https?: boolean;
    settings?: object;
  },
): Promise<object> {
  const { custom_commands: commands, ...settings } = (args.settings ?? {}) as { custom_commands?: object };
  const allCommands = { ...commands, ...(args.directory ? { directory: args.directory } : {}) };
  return {
    ...settings,
    ...(Object.keys(allCommands).length > 0 ? { custom_commands: allCommands } : {}),
    name: args.name,
    server_id: (await serverOf(call, args.server)).id,
    domain: args.domain,
    framework_id: args.framework_id,
    git_repository: { repo: args.repository, type: args.host ?? "git", branch: args.branch ?? "main" },
    ...(args.environment_variables === undefined ? {} : { environment_variables: args.environment_variables }),
    ...(args.https ? { ssl_is_enabled: true } : {}),
  };
}

const variablesPath = "/api/v1/projects/:id/environment-variables/:name";

const setEnvironment = tool({
  name: "set_environment",
  title: "Set environment variables",
  description:
    "Sets and removes environment variables by name. Values never come back. They apply with the next deployment: deploy=true requests it.",
  input: Type.Object({
    project: ProjectArgument,
    set: Type.Optional(Type.Record(Type.String({ maxLength: 200 }), Type.String(), { maxProperties: 30 })),
    unset: Type.Optional(Type.Array(Text, { maxItems: 30 })),
    deploy: Type.Optional(Type.Boolean()),
    wait_seconds: WaitSeconds,
  }),
  output: Type.Object({ set: listOf(Text), unset: listOf(Text), deployment: Type.Optional(ShownDeployment) }),
  needs: [`PUT ${variablesPath}`, `DELETE ${variablesPath}`, ...findingProjects],
  uses: ["POST /api/v1/deployments", ...followingRoutes],
  isOfProject: true,
  run: async (call, { project, set = {}, unset = [], deploy: isDeployed, wait_seconds: seconds = 25 }) => {
    const { api, answer } = call;
    const { id, name } = await projectOf(call, project);
    const done = { set: [] as string[], unset: [] as string[] };
    answer.data = done;
    try {
      for (const [variable, value] of Object.entries(set)) {
        await api.send(`PUT ${variablesPath}`, { params: { id, name: variable }, body: { value } });
        done.set.push(variable);
      }
      for (const variable of unset) {
        await api.send(`DELETE ${variablesPath}`, { params: { id, name: variable } });
        done.unset.push(variable);
      }
    } finally {
      // One after the other: where one is refused, those before it stay changed.
      answer.say(`${done.set.length} set and ${done.unset.length} removed for ${answer.name("project", id, name)}.`);
    }
    if (!isDeployed) {
      answer.say("They apply with the next deployment.");
      return;
    }
    const { deployment_ids: ids } = await api.send<{ deployment_ids: [number] }>("POST /api/v1/deployments", {
      body: { project_ids: [id] },
    });
    answer.data = { ...done, deployment: await reportEnd(call, await follow(call, ids[0], seconds)) };
  },
});

export const projectTools: readonly Tool[] = [getProject, proposeProject, createProject, setEnvironment];
