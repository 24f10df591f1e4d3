import type { ReactNode } from "react";
import { Outlet, useLocation } from "react-router";
import type { Permission } from "../../api/actions.ts";
import { mayEver } from "../../api/actions.ts";
import { useAllowed } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { useTitle } from "../../parts/use-title.ts";
import { paths, type SettingsTab } from "../../paths.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";

interface Tab {
  tab?: SettingsTab;
  label: string;
  /** Without it the API shows nothing. */
  permission?: Permission;
}

/** In their order; each has a route below the settings. */
const tabs: readonly Tab[] = [
  { label: "Organization" },
  { tab: "members", label: "Members", permission: "organization:read" },
  { tab: "tokens", label: "Tokens" },
  { tab: "channels", label: "Channels", permission: "organization:read" },
  { tab: "git-hosts", label: "Git hosts", permission: "project:create" },
  { tab: "providers", label: "Cloud accounts", permission: "server:create" },
  { tab: "ssh-keys", label: "SSH keys" },
];

/** `…/settings`: what is decided for the whole organization, and one's tokens in it. */
export function Component(): ReactNode {
  const o = useOrganization();
  const allowed = useAllowed();
  const { pathname } = useLocation();
  const items = tabs
    .filter(({ permission }) => permission === undefined || mayEver(allowed, permission))
    .map(({ tab, label }) => ({ href: paths.settings(o, tab), label }));
  const isAt = (href: string) => pathname === href || pathname.startsWith(`${href}/`);
  // The first is the start of all others.
  const current = items.findLast(({ href }) => isAt(href));
  const shown = current?.label;
  useTitle(shown === undefined || shown === "Organization" ? "Settings" : `${shown} · Settings`);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Settings" tabs={<TabLinks label="Settings" items={items} current={current?.href ?? ""} />} />
      <Outlet key={o} />
    </div>
  );
}
