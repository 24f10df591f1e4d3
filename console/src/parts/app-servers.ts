import type { Operations } from "../../../contract/types.ts";
import { formatBytes, formatCount } from "../ui/format.ts";

type Listed = Operations["GET /api/v1/servers"]["reply"]["data"][number];
export type AppServer = Extract<Listed, { accepts_projects: boolean }>;

/** False for a server of which only a project is in reach: nothing can be created on it. */
export const isWhole = (server: Listed): server is AppServer => "accepts_projects" in server;

/** Why nothing can be created on it. */
export const whyNot = ({ accepts_projects, reason }: AppServer): string | undefined =>
  accepts_projects ? undefined : (reason ?? "It accepts no projects now.");

/** "203.0.113.7, 3 projects, 2.1 GB of memory and 31 GB of disk free". */
export function roomOf({ public_ip, projects_count, usage }: AppServer): string {
  const free = [
    usage?.memory && `${formatBytes(usage.memory.available_bytes)} of memory`,
    usage?.disk && `${formatBytes(usage.disk.available_bytes)} of disk`,
  ].filter((part) => typeof part === "string");
  return [public_ip, formatCount(projects_count, "project"), free.length > 0 && `${free.join(" and ")} free`]
    .filter(Boolean)
    .join(", ");
}

/** The first that accepts a project. */
export const firstAccepting = (servers: readonly AppServer[]): number | null =>
  servers.find(({ accepts_projects }) => accepts_projects)?.id ?? null;
