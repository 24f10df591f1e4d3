import { capabilities } from "../../http/capabilities.ts";
import { projectRefusals } from "../projects/capabilities.ts";
import type { ProjectState } from "../projects/schema.ts";
import { type CommandRow, type CommandStatus, commandStatuses, mostCommands } from "./schema.ts";

export const runningCapabilities = capabilities<ProjectState>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  verbs: {
    run_command: {
      route: "POST /api/v1/projects/:id/commands",
      refusals: {
        not_installed: {
          unless: { installation_status: [1] },
          message: "The project has no live release: its first deployment brings one.",
        },
        leaving: { message: "The project is being removed from its server." },
        moving: projectRefusals.moving,
        too_many: {
          message: `A project runs at most ${mostCommands} commands at once. Wait for the end of one, or cancel it.`,
        },
      },
    },
  },
});

export const commandCapabilities = capabilities<CommandRow & { status: CommandStatus }>()({
  noun: "command",
  record: "GET /api/v1/projects/:id/commands/:commandId",
  state: { field: "status", values: commandStatuses },
  verbs: {
    cancel: {
      route: "POST /api/v1/projects/:id/commands/:commandId/cancel",
      refusals: {
        ended: {
          unless: { status: ["queued", "running"] },
          code: "conflict",
          message: "The command has ended, or is being cancelled already.",
        },
      },
    },
  },
});
