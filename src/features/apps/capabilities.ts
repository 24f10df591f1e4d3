import { capabilities } from "../../http/capabilities.ts";
import type { ProjectState } from "../projects/schema.ts";

const notFailed = "Only the installation of a catalog application that failed can be retried.";

export const installingCapabilities = capabilities<ProjectState>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  verbs: {
    retry_installation: {
      route: "POST /api/v1/projects/:id/install/retry",
      refusals: {
        is_no_app: { unless: { source_type: ["app"] }, message: notFailed },
        not_failed: { unless: { installation_status: [2] }, message: notFailed },
        server_unfit: { late: true, message: "{reasons|The server cannot host the application any more.}" },
      },
    },
  },
});

export const appCapabilities = capabilities<{ app_name: string; updatable: boolean }>()({
  noun: "app",
  record: "GET /api/v1/projects/:id/app",
  verbs: {
    update: {
      route: "POST /api/v1/projects/:id/app/update",
      refusals: {
        not_updatable: { when: { updatable: [false] }, message: "{app_name} cannot be updated in place." },
        not_installed: { message: "{app_name} is not installed, so it cannot be updated." },
        deploying: { message: "The project is being moved or restarted. Wait for the end of that." },
        readdressing: {
          message: "{app_name} is being given its new address. Wait for the end of that.",
        },
        updating: { message: "{app_name} is being updated already." },
        no_version: { late: true, message: "No version of {app_name} runs on this server." },
      },
    },
    change: {
      route: "PUT /api/v1/projects/:id/app",
      // Automatic updates can be switched off for any application.
      refusals: { not_updatable: { late: true, message: "{app_name} cannot be updated in place." } },
    },
  },
});
