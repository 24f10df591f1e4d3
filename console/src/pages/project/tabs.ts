import type { ProjectTab } from "../../paths.ts";

interface Tab {
  tab?: ProjectTab;
  label: string;
  /** Not for applications of the catalog. */
  source?: "git";
}

/** The tabs of a project, in their order; each has a route below the project's. */
const tabs: readonly Tab[] = [
  { label: "Overview" },
  { tab: "deployments", label: "Deployments", source: "git" },
  { tab: "domains", label: "Domains" },
  { tab: "environment", label: "Environment", source: "git" },
  { tab: "jobs", label: "Jobs" },
  { tab: "databases", label: "Databases" },
  { tab: "logs", label: "Logs" },
  { tab: "commands", label: "Commands" },
  { tab: "monitors", label: "Monitors" },
  { tab: "settings", label: "Settings" },
];

/** Those that a project has by its source. */
export const tabsOf = (sourceType: "git" | "app"): readonly Tab[] =>
  tabs.filter(({ source = sourceType }) => source === sourceType);
