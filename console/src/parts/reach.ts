import type { InvitationPreview, Restriction } from "../../../contract/types.ts";
import { formatCount, formatList } from "../ui/format.ts";

type Reach = Pick<InvitationPreview, "is_restricted" | "servers_count" | "projects_count">;

/** The same of a restriction, whose servers and projects are counted as they were chosen. */
export const restrictionInWords = (restriction: Restriction | null): string =>
  reachInWords({
    is_restricted: restriction !== null,
    servers_count: restriction?.server_ids.length ?? 0,
    projects_count: restriction?.project_ids.length ?? 0,
  });

/** What the membership reaches, in words. */
export function reachInWords({ is_restricted, servers_count, projects_count }: Reach): string {
  const counts = countsInWords({ server: servers_count, project: projects_count });
  if (is_restricted) return counts === "" ? "Nothing yet" : `Only ${counts}`;
  return counts === "" ? "All of the organization" : `All of the organization: ${counts} now`;
}

/** "2 monitors and 1 server", without what there is none of. */
export const countsInWords = (counts: Readonly<Record<string, number>>): string =>
  formatList(Object.entries(counts).flatMap(([noun, count]) => (count === 0 ? [] : [formatCount(count, noun)])));

/** What a role may do, for those who do not know the words. */
export const roleInWords: Record<InvitationPreview["role"], string> = {
  Owner: "may do everything",
  Admin: "manages servers, projects and members",
  Member: "creates, changes and deploys projects",
  Viewer: "sees what it reaches, and changes nothing",
};
