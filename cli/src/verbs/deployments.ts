import type { Deployment } from "../../../contract/types.ts";
import { exitStatus, usage } from "../failure.ts";
import { findServer, idOf, projectOf } from "../find.ts";
import { attach, contactFor } from "../follow/attached.ts";
import { catchInterrupts } from "../follow/interrupts.ts";
import { requestOnce } from "../follow/request.ts";
import type { Invocation } from "../invocation.ts";
import { printJson, printList, printRecord } from "../output/lists.ts";
import { visible, visibleLine } from "../output/text.ts";
import { ago, duration } from "../output/times.ts";
import { consolePage } from "../pages.ts";
import { deploymentStates, shortCommit, styleOf } from "../words.ts";
import { begin } from "./deploy.ts";

type StatusName = "queued" | "success" | "failed" | "running" | "cancelling" | "cancelled";

export async function listDeployments(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const project = invocation.text("project");
  const server = invocation.text("server");
  const status = invocation.text("status");
  const { data } = await session.call("GET /api/v1/deployments", {
    query: {
      per_page: Math.min(invocation.count("limit") ?? 20, 100),
      ...(project === undefined ? {} : { project_id: [(await projectOf(invocation, project)).id] }),
      ...(server === undefined ? {} : { server_id: [(await findServer(session, server)).id] }),
      ...(status === undefined ? {} : { status: statusNames(status) }),
    },
  });
  printList(invocation.terminal, invocation.json, {
    items: data.map((deployment) => ({ ...deployment, status: stateOf(deployment) })),
    empty: "There are no deployments.",
    columns: [
      { head: "ID", of: ({ id }) => id },
      { head: "PROJECT", of: ({ project }) => project.name, isLong: true },
      { head: "STATUS", of: ({ status }) => status, style: ({ status }) => styleOf(status) },
      { head: "COMMIT", of: ({ commit_id }) => shortCommit(commit_id) },
      { head: "MESSAGE", of: ({ commit_message, description }) => commit_message ?? description, isLong: true },
      { head: "SERVER", of: ({ server }) => server.name, isLong: true },
      { head: "WHEN", of: ({ created_at }) => ago(created_at) },
    ],
  });
  return undefined;
}

function statusNames(text: string): StatusName[] {
  const names = text.split(",").map((name) => name.trim());
  const known = Object.values(deploymentStates);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw usage(`There is no status ${visible(unknown)}. There are: ${known.join(", ")}`);
  return names as StatusName[];
}

const stateOf = ({ status }: Deployment): string => deploymentStates[status] ?? String(status);

export async function showDeployment(invocation: Invocation): Promise<undefined> {
  const { terminal, json } = invocation;
  const session = await invocation.session();
  const id = idOf("A deployment", invocation.args[0]);
  const record = await session.call("GET /api/v1/deployments/{id}", { params: { id } });
  const page = await consolePage(session, `deployments/${id}`);
  const { output, ...rest } = record;
  printRecord(terminal, json, { ...rest, status: stateOf(record), page }, [
    ["deployment", record.id],
    ["project", record.project.name],
    ["server", record.server.name],
    ["status", stateOf(record)],
    ["reason", record.error],
    ["waits", record.waiting_for?.message],
    ["branch", record.git_tag === null ? record.git_branch : null],
    ["tag", record.git_tag],
    ["commit", [shortCommit(record.commit_id), record.commit_message].filter(Boolean).join(" ")],
    ["author", record.commit_author],
    ["requested", `${ago(record.created_at)}${record.initiator.name ? ` by ${record.initiator.name}` : ""}`],
    ["took", record.started_at && record.ended_at ? `${record.duration} s` : null],
    ["live", record.is_live ? "yes" : "no"],
    ["page", page],
  ]);
  if (json) return undefined;
  for (const step of record.steps) {
    if (step.status === "pending" || step.status === "skipped") continue;
    const sign = step.status === "failed" ? terminal.style("red", "✗") : step.status === "running" ? "…" : "✓";
    const took = step.duration_ms === null ? "" : ` ${duration(step.duration_ms)}`;
    terminal.note(`${sign} ${visible(step.label)}${took}`);
    if (step.status === "failed" && step.detail) terminal.note(`  ${visible(step.detail)}`);
  }
  if (invocation.isSet("log")) {
    for (const line of [...output.system_payload, ...output.client_payload]) terminal.result(visibleLine(line));
  }
  return undefined;
}

export async function watchDeployment(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const id = idOf("A deployment", invocation.args[0]);
  const { project } = await session.call("GET /api/v1/deployments/{id}", { params: { id } });
  invocation.terminal.note(`${visible(project.name)}: deployment ${id}`);
  const interrupts = catchInterrupts();
  try {
    return await attach(invocation, [id], interrupts);
  } finally {
    interrupts.release();
  }
}

export async function cancelDeployment(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const id = idOf("A deployment", invocation.args[0]);
  const contact = contactFor(invocation, session, `Whether it is cancelled shows: longshore deployments show ${id}`);
  const input = { params: { id } };
  const { message } = await requestOnce(session, contact, "POST /api/v1/deployments/{id}/cancel", input);
  if (invocation.json) printJson(invocation.terminal, { id, message });
  else invocation.terminal.note(visible(message));
  return exitStatus.done;
}

export async function rerunDeployment(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const id = idOf("A deployment", invocation.args[0]);
  const { project } = await session.call("GET /api/v1/deployments/{id}", { params: { id } });
  return begin(invocation, visible(project.name), (contact) =>
    requestOnce(session, contact, "POST /api/v1/deployments/{id}/rerun", { params: { id } }),
  );
}
