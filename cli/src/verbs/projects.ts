import type { ProjectSummary } from "../../../contract/types.ts";
import { usage } from "../failure.ts";
import { findServer, projectOf } from "../find.ts";
import type { Invocation } from "../invocation.ts";
import { printList, printRecord } from "../output/lists.ts";
import { visible } from "../output/text.ts";
import { ago } from "../output/times.ts";
import { deploymentStates, shortCommit, styleOf } from "../words.ts";

type State = ProjectSummary["state"];

const states: readonly State[] = [
  "unreachable",
  "deploying",
  "waiting",
  "crashing",
  "in_maintenance",
  "failed",
  "not_installed",
  "live",
];

export async function listProjects(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const q = invocation.text("search");
  const state = invocation.text("state");
  const server = invocation.text("server");
  const { data } = await session.call("GET /api/v1/projects", {
    query: {
      view: "summary",
      sort: "name",
      per_page: Math.min(invocation.count("limit") ?? 100, 100),
      ...(q === undefined ? {} : { q }),
      ...(state === undefined ? {} : { state: statesNamed(state) }),
      ...(server === undefined ? {} : { server_id: [(await findServer(session, server)).id] }),
    },
  });
  printList<ProjectSummary>(invocation.terminal, invocation.json, {
    items: data,
    empty: "There are no projects.",
    columns: [
      { head: "ID", of: ({ id }) => id },
      { head: "NAME", of: ({ name }) => name, isLong: true },
      { head: "STATE", of: ({ state }) => state.replaceAll("_", " "), style: ({ state }) => styleOf(state) },
      { head: "ADDRESS", of: ({ url }) => url, isLong: true },
      { head: "SERVER", of: ({ server }) => server.name, isLong: true },
      { head: "DEPLOYED", of: ({ live_deployment }) => ago(live_deployment?.at) },
    ],
  });
  return undefined;
}

function statesNamed(text: string): State[] {
  const names = text.split(",").map((name) => name.trim().replaceAll(" ", "_"));
  const unknown = names.find((name) => !states.some((state) => state === name));
  if (unknown !== undefined) throw usage(`There is no state ${visible(unknown)}. There are: ${states.join(", ")}`);
  return names as State[];
}

export async function showProject(invocation: Invocation): Promise<undefined> {
  const project = await projectOf(invocation, invocation.args[0]);
  const { live_deployment: live, last_deployment: last } = project;
  printRecord(invocation.terminal, invocation.json, project, [
    ["project", project.name],
    ["id", project.id],
    ["state", project.state.replaceAll("_", " ")],
    ["address", project.url],
    ["server", project.server.name],
    ["framework", project.framework.label],
    ["repository", project.repository],
    ["branch", project.repository_branch],
    ["deploys tags", project.deploy_tags],
    [
      "live",
      live && `${shortCommit(live.commit_id)} ${live.commit_message ?? ""} (deployment ${live.id}, ${ago(live.at)})`,
    ],
    ["last deployment", last && `${last.id}: ${deploymentStates[last.status]}, ${ago(last.at)}`],
    ["pending changes", project.has_pending_changes ? "yes: deploy to apply them" : null],
    ["domains", project.domains.map(({ domain_name }) => domain_name).join(" ")],
    ["monitors", project.monitors && `${project.monitors.up} up, ${project.monitors.down} down`],
    ["notes", project.notes],
  ]);
  return undefined;
}
