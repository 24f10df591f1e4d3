import type { Command } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

export type { Command };
export type CommandState = Command["status"];

/** The commands of a project, the newest first. */
export const commands = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "commands", id }, "GET /api/v1/projects/{id}/commands", {
    params: { id },
    query: { per_page: 100 },
  });

/** One of them; its output is read by the log. */
export const command = (o: OrganizationId, id: number, commandId: number) =>
  reading({ organization: o, noun: "commands", id }, "GET /api/v1/projects/{id}/commands/{commandId}", {
    params: { id, commandId },
    query: { limit: 1 },
  });
