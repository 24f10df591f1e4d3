import { capabilities } from "../../http/capabilities.ts";
import { nodeFrameworks } from "../projects/on-server.ts";
import type { ProjectState } from "../projects/schema.ts";
import { type DeploymentRow, deploymentStatus } from "./schema.ts";

const { success, failed, cancelling, cancelled } = deploymentStatus;

const notSuccessful = "Only a successful deployment with a commit can be rolled back to.";

export const deploymentCapabilities = capabilities<DeploymentRow>()({
  noun: "deployment",
  record: "GET /api/v1/deployments/:id",
  state: { field: "status", values: deploymentStatus },
  verbs: {
    cancel: {
      route: "POST /api/v1/deployments/:id/cancel",
      refusals: {
        move_failed: {
          late: true,
          code: "conflict",
          message: "The move has failed; what it changed is being put back.",
        },
        move_ended: {
          when: { process_type: ["move"], status: [success, failed, cancelling, cancelled] },
          code: "conflict",
          message: "The move is being cancelled already, or has ended.",
        },
        cancelling: {
          when: { status: [cancelling] },
          code: "conflict",
          message: "The deployment is being cancelled already.",
        },
        ended: {
          when: { status: [success, failed, cancelled] },
          code: "conflict",
          message: "The deployment has ended.",
        },
        in_place: {
          code: "conflict",
          message: "The deployment runs in place: what is half replaced cannot be put back, so it is not cancelled.",
        },
        live: {
          code: "conflict",
          message: "The release is already live. Roll back to the former one instead.",
        },
        overtaken: {
          late: true,
          code: "conflict",
          message: "The deployment is being cancelled already, or has ended.",
        },
      },
    },
    rerun: {
      route: "POST /api/v1/deployments/:id/rerun",
      refusals: {
        not_failed: { unless: { status: [failed] }, message: "Only a failed deployment can be run again." },
        is_move: { when: { process_type: ["move"] }, message: "A move is not run again: move the project again." },
        server_left: {
          late: true,
          message: "The project is no longer on the server of this deployment: deploy it again instead.",
        },
        is_recycle_of_app: {
          late: true,
          message: "A recycle of a catalog application is not run again: recycle it again.",
        },
      },
    },
    roll_back: {
      route: "POST /api/v1/deployments/:id/rollback",
      refusals: {
        not_successful: { unless: { status: [success] }, message: notSuccessful },
        no_commit: { when: { commit_id: [null] }, message: notSuccessful },
        live: { message: "This deployment is the one that is live." },
      },
    },
  },
});

export const deployingCapabilities = capabilities<ProjectState>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  verbs: {
    deploy: {
      route: "POST /api/v1/deployments",
      refusals: {
        is_app: {
          when: { source_type: ["app"] },
          message: "Catalog apps have no deployments; these are apps: {id}. Nothing was queued.",
        },
      },
    },
    recycle: {
      route: "POST /api/v1/projects/:id/recycle",
      refusals: {
        no_process: {
          unless: { framework_id: nodeFrameworks },
          message: "Only Node projects have a process to recycle.",
        },
        in_place: {
          when: { zero_downtime: [false] },
          message: "The project deploys in place, so it has no standby to recycle to.",
        },
        not_installed: {
          unless: { installation_status: [1] },
          message: "The project is not installed on its server yet.",
        },
        live_in_place: {
          message:
            "The live release was deployed in place, so it has no standby to recycle to. Deploy the project first.",
        },
        deploying: { message: "A deployment of the project is queued or running. Wait for its end." },
        app_busy: {
          message: "{why|The application is being updated, or given its new address. Wait for the end of that.}",
        },
      },
    },
  },
});
