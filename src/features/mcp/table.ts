import type { Tool } from "./tool.ts";
import { commandTools } from "./tools/commands.ts";
import { deploymentTools } from "./tools/deployments.ts";
import { domainTools } from "./tools/domains.ts";
import { findingTools } from "./tools/finding.ts";
import { logTools } from "./tools/logs.ts";
import { monitorTools } from "./tools/monitors.ts";
import { operationTools } from "./tools/operations.ts";
import { projectTools } from "./tools/projects.ts";
import { serverTools } from "./tools/servers.ts";

/** In the order in which clients show them. */
export const tools: readonly Tool[] = [
  ...findingTools,
  ...projectTools,
  ...deploymentTools,
  ...logTools,
  ...domainTools,
  ...serverTools,
  ...monitorTools,
  ...commandTools,
  ...operationTools,
];
