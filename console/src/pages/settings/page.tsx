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
  { tab: "git-hosts", label: "Git hosts", permission: "project:create" },
];

/** `…/settings`: what is decided for the whole organization, and one's tokens in it. */
export function Component(): ReactNode {
  const o = useOrganization();
  const allowed = useAllowed();
  const current = useLocation().pathname.replace(/\/$/, "");
  const items = tabs
    .filter(({ permission }) => permission === undefined || mayEver(allowed, permission))
    .map(({ tab, label }) => ({ href: paths.settings(o, tab), label }));
  const shown = items.find(({ href }) => href === current)?.label;
  useTitle(shown === undefined || shown === "Organization" ? "Settings" : `${shown} · Settings`);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Settings" tabs={<TabLinks label="Settings" items={items} current={current} />} />
      <Outlet key={o} />
    </div>
  );
}
