import { capabilities } from "../../http/capabilities.ts";
import { phpFrameworks } from "./on-server.ts";
import type { PlacedProject, ProjectState } from "./schema.ts";

/** The record of a project, on which tables of capabilities depend. */
export const projectState = (project: PlacedProject): ProjectState => ({ ...project, ...project.site });

/** Refusals that later features also use for projects. */
export const projectRefusals = {
  not_prepared: {
    late: true,
    message: "The project is not installed on its server yet: its first deployment sets up the site.",
  },
  moving: { message: "The project is being moved. Try again when it has arrived." },
} as const;

const { not_prepared, moving } = projectRefusals;

const maintenance = {
  not_prepared,
  moving,
  changing: {
    late: true,
    message: "The maintenance mode is being changed by another request. Try again in a moment.",
  },
} as const;

const not_php = {
  unless: { framework_id: phpFrameworks },
  message: "These settings are for projects that run on PHP, and this one does not.",
} as const;

export const projectCapabilities = capabilities<ProjectState>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  state: { field: "installation_status", values: { not_installed: 0, installed: 1, failed: 2 } },
  verbs: {
    update: { route: "PUT /api/v1/projects/:id", refusals: {} },
    delete: { route: "DELETE /api/v1/project/:id", refusals: {} },
    toggle_maintenance: { route: "POST /api/v1/projects/:id/maintenance/toggle", refusals: maintenance },
    set_maintenance: { route: "PUT /api/v1/projects/:id/maintenance", refusals: maintenance },
    clear_build_cache: { route: "DELETE /api/v1/projects/:id/build-cache", refusals: { not_prepared, moving } },
    read_php: { route: "GET /api/v1/projects/:id/php", refusals: { not_php } },
    change_php: { route: "PUT /api/v1/projects/:id/php", refusals: { not_php } },
    publish: {
      route: "GET /api/v1/projects/:id/publish",
      refusals: { not_prepared },
    },
  },
});
