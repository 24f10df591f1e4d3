import { capabilities } from "../../http/capabilities.ts";
import type { ShownProjectRow } from "./schema.ts";

/** Refusals that later features also use for projects. */
export const projectRefusals = {
  is_replica: {
    unless: { replica_of: [null] },
    message:
      "This is what a further server has of {main_name|another project}, which is behind a load balancer: change {main_name|that one} (project {replica_of}) instead.",
  },
  not_prepared: {
    late: true,
    message: "The project is not installed on its server yet: its first deployment sets up the site.",
  },
  moving: { message: "The project is being moved. Try again when it has arrived." },
} as const;

const { is_replica, not_prepared, moving } = projectRefusals;

export const projectCapabilities = capabilities<ShownProjectRow>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  state: { field: "installation_status", values: { not_installed: 0, installed: 1, failed: 2 } },
  verbs: {
    update: { route: "PUT /api/v1/projects/:id", refusals: { is_replica } },
    set_variable: { route: "PUT /api/v1/projects/:id/environment-variables/:name", refusals: { is_replica } },
    unset_variable: { route: "DELETE /api/v1/projects/:id/environment-variables/:name", refusals: { is_replica } },
    delete: { route: "DELETE /api/v1/project/:id", refusals: { is_replica } },
    toggle_maintenance: {
      route: "POST /api/v1/projects/:id/maintenance/toggle",
      refusals: {
        not_prepared,
        is_replica,
        moving,
        changing: {
          late: true,
          message: "The maintenance mode is being changed by another request. Try again in a moment.",
        },
      },
    },
    clear_build_cache: { route: "DELETE /api/v1/projects/:id/build-cache", refusals: { not_prepared, moving } },
    publish: {
      route: "GET /api/v1/projects/:id/publish",
      // The site can also be published on a further server; SSL is switched only on the project itself.
      refusals: { not_prepared, is_replica: { late: true, message: is_replica.message } },
    },
  },
});
