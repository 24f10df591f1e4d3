import { capabilities } from "../../http/capabilities.ts";
import type { ProjectState } from "../projects/schema.ts";

// The page is a flag on the server that gets the visitors, and this changes that server.
const in_maintenance = {
  when: { maintenance_mode: [true] },
  message: "The project is in maintenance. End that first.",
} as const;

export const balancingCapabilities = capabilities<ProjectState>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  verbs: {
    balance: {
      route: "PUT /api/v1/projects/:id/load-balancer",
      refusals: {
        behind_another: { message: "The project is behind another load balancer. Take it out of there first." },
        is_app: {
          when: { source_type: ["app"] },
          message: "Catalog apps cannot be on several servers: what they keep is on the disk of one.",
        },
        not_installed: {
          unless: { installation_status: [1] },
          message: "The project is not installed yet: deploy it first.",
        },
        moving: { message: "The project is being moved. Wait for the end of that." },
        in_maintenance,
        clearing: {
          message:
            "What {server_name|one of the servers} had of the project is still being removed. Try again when that is done.",
        },
      },
    },
    unbalance: {
      route: "DELETE /api/v1/projects/:id/load-balancer",
      refusals: {
        not_balanced: { when: { load_balancer_id: [null] }, message: "The project is behind no load balancer." },
        in_maintenance,
      },
    },
  },
});
