import type { InvitationPreview } from "../../../../contract/types.ts";
import { formatNumber } from "../../ui/format.ts";

type Reach = Pick<InvitationPreview, "is_restricted" | "servers_count" | "projects_count">;

/** What the membership reaches, in words. */
export function reachInWords({ is_restricted, servers_count, projects_count }: Reach): string {
  const counts = `${counted(servers_count, "server")} and ${counted(projects_count, "project")}`;
  return is_restricted ? `Only ${counts}` : `All of the organization: ${counts} now`;
}

const counted = (count: number, noun: string): string => `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;

/** What a role may do, for those who do not know the words. */
export const roleInWords: Record<InvitationPreview["role"], string> = {
  Owner: "may do everything",
  Admin: "manages servers, projects and members",
  Member: "creates, changes and deploys projects",
  Viewer: "sees everything, and changes nothing",
};
