import type { ProjectTab } from "../../paths.ts";

/** The tabs of a project, in their order; each has a route below the project's. */
export const tabs: readonly { tab?: ProjectTab; label: string }[] = [
  { label: "Overview" },
  { tab: "deployments", label: "Deployments" },
  { tab: "domains", label: "Domains" },
  { tab: "environment", label: "Environment" },
  { tab: "jobs", label: "Jobs" },
  { tab: "logs", label: "Logs" },
  { tab: "commands", label: "Commands" },
  { tab: "settings", label: "Settings" },
];
