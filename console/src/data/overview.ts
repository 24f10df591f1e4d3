import type { AttentionItem, RunningDeployment } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

export type { AttentionItem, RunningDeployment };

export const overview = (o: OrganizationId) => reading({ organization: o, noun: "overview" }, "GET /api/v1/overview");

export const attention = (o: OrganizationId) =>
  reading({ organization: o, noun: "attention" }, "GET /api/v1/attention");

export const latestDeployments = (o: OrganizationId) =>
  reading({ organization: o, noun: "deployments" }, "GET /api/v1/deployments", { query: { per_page: 8 } });

/** The accounts at git hosts that repositories are read with. */
export const gitHosts = (o: OrganizationId) =>
  reading({ organization: o, noun: "git_hosts" }, "GET /api/v1/source-providers");
