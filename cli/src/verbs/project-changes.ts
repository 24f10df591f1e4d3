import type { Plan, ProjectUpdate } from "../../../contract/types.ts";
import { exitStatus, Failure, usage } from "../failure.ts";
import { findServer, projectOf } from "../find.ts";
import { contactFor } from "../follow/attached.ts";
import { requestOnce } from "../follow/request.ts";
import type { Invocation } from "../invocation.ts";
import { printJson } from "../output/lists.ts";
import { confirmByName } from "../output/terminal.ts";
import { visible } from "../output/text.ts";
import { newKey, type Session } from "../session.ts";
import { fieldsOf, reportChange } from "./api.ts";
import { begin } from "./deploy.ts";
import { printPlan } from "./rollback.ts";

/** Changes settings by the names that the API has for them. */
export async function changeProject(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const { id } = await projectOf(invocation, invocation.text("project"));
  const settings = fieldsOf(invocation.args);
  const answer = await session.call("PUT /api/v1/projects/{id}", { params: { id }, body: settings as ProjectUpdate });
  return reportChange(invocation, answer);
}

/** Without a framework the repository is looked at, and what was found is used. */
export async function createProject(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const [name = ""] = invocation.args;
  const [domain, server, repo] = ["domain", "server", "repo"].map((flag) => required(invocation, flag)) as [
    string,
    string,
    string,
  ];
  const { id: serverId } = await findServer(session, server);
  const git_repository = {
    repo,
    type: (invocation.text("source") ?? "git") as "git",
    branch: invocation.text("branch") ?? "main",
  };
  const found = await chosenFramework(invocation, session, { server_id: serverId, git_repository });
  const body = { name, server_id: serverId, domain, git_repository, ...found };
  const contact = contactFor(invocation, session, "Whether it was created shows: longshore projects");
  const answer = await requestOnce(session, contact, "POST /api/v1/projects", { body });
  const created =
    "project_id" in answer ? answer.project_id : answer.records.find((each) => each.startsWith("project:"))?.slice(8);
  const id = Number(created);
  if (invocation.json && invocation.isSet("detach")) printJson(terminal, { id, name, message: answer.message });
  terminal.note(`Project ${id} was created. ${visible(answer.message)}`);
  if (invocation.isSet("detach")) {
    if (!invocation.json) terminal.result(String(id));
    return exitStatus.done;
  }
  const { data } = await session.call("GET /api/v1/projects/{id}/deployments", { params: { id } });
  return begin(invocation, visible(name), async () => ({
    deployment_ids: data.map((deployment) => deployment.id).slice(-1),
  }));
}

function required(invocation: Invocation, flag: string): string {
  const value = invocation.text(flag);
  if (value === undefined) throw usage(`Add --${flag}: it is needed to create a project.`);
  return value;
}

interface Repository {
  server_id: number;
  git_repository: { repo: string; type: "git"; branch: string };
}

async function chosenFramework(invocation: Invocation, session: Session, repository: Repository) {
  const { terminal } = invocation;
  const named = invocation.text("framework");
  const { data: frameworks } = await session.call("GET /api/v1/frameworks");
  if (named !== undefined) {
    const framework = frameworks.find(({ id, label }) => String(id) === named || wordOf(label) === wordOf(named));
    if (framework) return { framework_id: framework.id };
    const known = frameworks.map(({ label }) => wordOf(label)).join(", ");
    throw usage(`There is no framework ${visible(named)}. There are: ${known}`);
  }
  const { data } = await session.call("POST /api/v1/projects/detect", { body: repository });
  if (!data.framework) {
    throw new Failure(
      exitStatus.refused,
      `The framework was not recognized: add --framework. ${data.notes.map(visible).join(" ")}`,
    );
  }
  terminal.note(`${visible(data.framework.label)}: ${visible(data.framework.reason)}`);
  const commands = {
    ...(data.directory ? { directory: data.directory.value } : {}),
    ...(data.build_command ? { build: data.build_command.value } : {}),
    ...(data.start_command ? { dev: data.start_command.value } : {}),
  };
  return {
    framework_id: data.framework.id,
    ...(Object.keys(commands).length > 0 ? { custom_commands: commands } : {}),
    ...(data.output_directory ? { output_directory: data.output_directory.value } : {}),
  };
}

/** `Next.js` is next-js. */
const wordOf = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

export async function moveProject(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const project = await projectOf(invocation, invocation.args[0]);
  const server = await findServer(session, invocation.args[1] ?? "");
  const input = {
    params: { id: project.id },
    body: { server_id: server.id, ...(invocation.isSet("leaveDatabases") ? { leave_databases: true } : {}) },
  };
  if (invocation.isSet("dryRun")) {
    const answer = await session.call("POST /api/v1/projects/{id}/move", {
      ...input,
      query: { dry_run: true },
      idempotencyKey: newKey(),
    });
    return printPlan(invocation, answer as unknown as { message: string; plan?: Plan });
  }
  await confirmByName(invocation.terminal, {
    name: project.name,
    warning: `${visible(project.name)} moves from ${visible(project.server.name)} to ${visible(server.name)}, with its files and databases.`,
    isAgreed: invocation.isSet("yes"),
  });
  return begin(invocation, visible(project.name), async (contact) => {
    const answer = await requestOnce(session, contact, "POST /api/v1/projects/{id}/move", input);
    const records = "dns_records" in answer ? answer.dns_records : [];
    for (const { name, type, value } of records)
      invocation.terminal.note(`After the move set ${visible(name)} ${type} ${value}`);
    return answer;
  });
}
