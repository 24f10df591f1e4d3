import { Activity, Box, History, House, type LucideIcon, Rocket, Server, Settings } from "lucide-react";
import type { Permission } from "../../api/actions.ts";
import { mayEver } from "../../api/actions.ts";
import { useAllowed } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { type OrganizationId, paths } from "../../paths.ts";

/** An entry of the main navigation. */
interface Entry {
  label: string;
  icon: LucideIcon;
  /** Pressed after `g`. */
  key: string;
  address: (o: OrganizationId) => string;
  /** Without it there is nothing to see. */
  permission?: Permission;
}

const entries: readonly Entry[] = [
  { label: "Overview", icon: House, key: "o", address: paths.overview },
  { label: "Projects", icon: Box, key: "p", address: paths.projects, permission: "project:read" },
  { label: "Deployments", icon: Rocket, key: "d", address: paths.deployments, permission: "project:read" },
  { label: "Servers", icon: Server, key: "s", address: paths.servers, permission: "server:read" },
  { label: "Monitors", icon: Activity, key: "m", address: paths.monitors, permission: "monitor:read" },
  { label: "Activity", icon: History, key: "a", address: paths.activity, permission: "project:read" },
  { label: "Settings", icon: Settings, key: "t", address: paths.settings },
];

export interface Place extends Pick<Entry, "label" | "icon" | "key"> {
  href: string;
}

/** Where the account can go in the organization. */
export function usePlaces(): Place[] {
  const o = useOrganization();
  const allowed = useAllowed();
  return entries
    .filter(({ permission }) => permission === undefined || mayEver(allowed, permission))
    .map(({ address, ...entry }) => ({ ...entry, href: address(o) }));
}

/** Whether a page belongs to a place: it is its page, or one of its records. */
export const isCurrent = (href: string, pathname: string, overview: string): boolean =>
  pathname === href || (href !== overview && pathname.startsWith(`${href}/`));
