import { capabilities } from "../../http/capabilities.ts";
import type { ProjectState } from "../projects/schema.ts";

export const movingCapabilities = capabilities<ProjectState>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  verbs: {
    move: {
      route: "POST /api/v1/projects/:id/move",
      refusals: {
        deploying: { message: "A deployment or move of the project is queued or running. Wait for its end." },
        behind_balancer: {
          unless: { load_balancer_id: [null] },
          message: "The project is behind a load balancer. Take it out of there before it is moved.",
        },
        not_installed: {
          unless: { installation_status: [1] },
          message: "The project is not installed yet: that has to succeed before it is moved.",
        },
        app_busy: {
          message: "{why|The application is being updated, or given its new address. Wait for the end of that.}",
        },
        clearing: {
          message: "What {server_name} had of the project is still being removed. Try again when that is done.",
        },
        commit_unknown: {
          message: "It is not known which commit is live: deploy the project before it is moved.",
        },
      },
    },
  },
});
