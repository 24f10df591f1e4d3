import type { Activity, CatalogApp, Monitor, ProjectSummary } from "../../../contract/types.ts";
import { usage } from "../failure.ts";
import { findServer, projectOf } from "../find.ts";
import type { Invocation } from "../invocation.ts";
import { printList } from "../output/lists.ts";
import { visible } from "../output/text.ts";
import { ago } from "../output/times.ts";
import { styleOf } from "../words.ts";

/** Installed applications of the catalog; with `--server` those that can be installed there. */
export async function listApps(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const server = invocation.text("server");
  if (server !== undefined) return listCatalog(invocation, server);
  const { data } = await session.call("GET /api/v1/projects", {
    query: { source_type: ["app"], per_page: 100, sort: "name" },
  });
  printList<ProjectSummary & { app_slug?: string | null; app_version?: string | null }>(
    invocation.terminal,
    invocation.json,
    {
      items: data,
      empty: "No application of the catalog is installed. What a server can host: longshore apps --server SERVER",
      columns: [
        { head: "ID", of: ({ id }) => id },
        { head: "NAME", of: ({ name }) => name, isLong: true },
        { head: "APP", of: ({ app_slug }) => app_slug },
        { head: "VERSION", of: ({ app_version }) => app_version },
        { head: "STATE", of: ({ state }) => state.replaceAll("_", " "), style: ({ state }) => styleOf(state) },
        { head: "ADDRESS", of: ({ url }) => url, isLong: true },
      ],
    },
  );
  return undefined;
}

async function listCatalog(invocation: Invocation, server: string): Promise<undefined> {
  const session = await invocation.session();
  const { id } = await findServer(session, server);
  const { data } = await session.call("GET /api/v1/servers/{id}/apps", { params: { id } });
  printList<CatalogApp>(invocation.terminal, invocation.json, {
    items: data,
    empty: "This server can host no application of the catalog.",
    columns: [
      { head: "APP", of: ({ slug }) => slug },
      { head: "NAME", of: ({ name }) => name, isLong: true },
      { head: "CATEGORY", of: ({ category }) => category },
      {
        head: "FITS",
        of: ({ available, unavailable_reasons }) => (available ? "yes" : unavailable_reasons.join(" ")),
        isLong: true,
      },
    ],
  });
  return undefined;
}

const statuses = ["pending", "up", "down"] as const;

export async function listMonitors(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const project = invocation.text("project");
  const status = invocation.text("status");
  const known = statuses.find((each) => each === status);
  if (status !== undefined && !known)
    throw usage(`There is no status ${visible(status)}. There are: ${statuses.join(", ")}`);
  const { data } = await session.call("GET /api/v1/monitors", {
    query: {
      per_page: 100,
      ...(known === undefined ? {} : { status: known }),
      ...(project === undefined ? {} : { project_id: [(await projectOf(invocation, project)).id] }),
    },
  });
  printList<Monitor>(invocation.terminal, invocation.json, {
    items: data,
    empty: "There are no monitors.",
    columns: [
      { head: "ID", of: ({ id }) => id },
      { head: "NAME", of: ({ name }) => name, isLong: true },
      { head: "TYPE", of: ({ type }) => type },
      {
        head: "STATUS",
        of: ({ current_status, is_active }) => (is_active ? current_status : "off"),
        style: ({ current_status }) => styleOf(current_status),
      },
      { head: "24 H", of: ({ uptime_24h }) => (uptime_24h === null ? null : `${uptime_24h} %`) },
      { head: "SINCE", of: ({ last_status_changed_at }) => ago(last_status_changed_at) },
      { head: "WATCHES", of: ({ config }) => config.url, isLong: true },
    ],
  });
  return undefined;
}

/** Background and scheduled jobs of a project. */
export async function listJobs(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const { id } = await projectOf(invocation, invocation.args[0]);
  const input = { params: { id }, query: { per_page: 100 } };
  const [background, scheduled] = await Promise.all([
    session.call("GET /api/v1/projects/{id}/background-jobs", input),
    session.call("GET /api/v1/projects/{id}/scheduler-jobs", input),
  ]);
  printList(invocation.terminal, invocation.json, {
    items: [
      ...background.data.map((job) => ({ ...job, type: "background", when: `${job.processes} running` })),
      ...scheduled.data.map((job) => ({ ...job, type: "scheduled", when: job.cron_expression })),
    ],
    empty: "The project has no jobs.",
    columns: [
      { head: "ID", of: ({ id: job }) => job },
      { head: "TYPE", of: ({ type }) => type },
      { head: "NAME", of: ({ name }) => name, isLong: true },
      {
        head: "STATUS",
        of: ({ status, is_active }) => (is_active ? status : "off"),
        style: ({ status }) => styleOf(status),
      },
      { head: "WHEN", of: ({ when }) => when },
      { head: "COMMAND", of: ({ command }) => command, isLong: true },
    ],
  });
  return undefined;
}

export async function listActivity(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const q = invocation.text("search");
  const { data } = await session.call("GET /api/v1/activity", {
    query: { per_page: Math.min(invocation.count("limit") ?? 20, 100), ...(q === undefined ? {} : { q }) },
  });
  printList<Activity>(invocation.terminal, invocation.json, {
    items: data,
    empty: "There was no activity.",
    columns: [
      { head: "WHEN", of: ({ created_at }) => ago(created_at) },
      { head: "WHO", of: ({ user_email }) => user_email, isLong: true },
      { head: "WHAT", of: ({ summary }) => summary, isLong: true },
      {
        head: "ON",
        of: ({ subjects, subject_names }) => subjects.map((each) => subject_names[each] ?? each).join(", "),
        isLong: true,
      },
    ],
  });
  return undefined;
}
