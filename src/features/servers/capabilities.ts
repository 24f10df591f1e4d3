import { capabilities } from "../../http/capabilities.ts";
import type { ProviderRow } from "../cloud-servers/providers/schema.ts";
import { type SnapshotRow, snapshotStates } from "../cloud-servers/schema.ts";
import { type ServerRow, serverStatus } from "./schema.ts";

const { installing, provisioned } = serverStatus;

const ofMachines = {
  no_machine: { late: true, message: "{name} has no machine that was ordered with Longshore." },
  foreign_connection: { late: true, message: "{name} was ordered with a connection of another organization." },
  not_set_up: { unless: { server_status: [provisioned] }, message: "{name} is not set up yet." },
} as const;

export const serverCapabilities = capabilities<ServerRow>()({
  noun: "server",
  record: "GET /api/v1/servers/:id",
  state: { field: "server_status", values: serverStatus },
  verbs: {
    retry_setup: {
      route: "POST /api/v1/servers/:id/setup/retry",
      refusals: {
        being_built: {
          late: true,
          message: "{name} is being built or removed at the provider. Wait until that has ended.",
        },
        connection_deleted: { late: true, message: "The connection that {name} was ordered with was deleted." },
        still_connecting: {
          late: true,
          message: "{name} is still being connected to. Run the connect command on it as root.",
        },
        setup_completed: {
          late: true,
          message:
            "The setup of {name} has completed: there is nothing to retry. To run it all the same, POST to setup/run.",
        },
        setup_running: { late: true, message: "The setup of {name} is still running." },
        rebooting: { late: true, message: "{name} is rebooting. Set it up when it is back." },
      },
    },
    run_setup: {
      route: "POST /api/v1/servers/:id/setup/run",
      refusals: {
        never_connected: {
          when: { server_status: [installing] },
          message: "{name} was never connected to. Run the connect command on it as root.",
        },
        setup_running: { late: true, message: "The setup of {name} is still running." },
        rebooting: { late: true, message: "{name} is rebooting. Set it up when it is back." },
      },
    },
    reboot: {
      route: "POST /api/v1/servers/:id/reboot",
      refusals: {
        never_connected: {
          when: { server_status: [installing] },
          message: "{name} was never connected to. Run the connect command on it as root.",
        },
        setup_running: { message: "The setup of {name} is running. Reboot it when it has ended." },
      },
    },
    delete: {
      route: "DELETE /api/v1/servers/:id",
      refusals: {
        protected: {
          when: { delete_protection: [true] },
          message: "{name} is protected from deletion. Send delete_protection false to change that first.",
        },
        has_projects_behind: {
          message:
            "{project_name} is behind {name}. Take it out of its load balancer, or delete it, before the server is deleted.",
        },
        has_balanced_project: {
          message:
            "{project_name} is on {name} and behind a load balancer. Take it out of there, or delete it, before the server is deleted.",
        },
      },
    },
    transfer: {
      route: "POST /api/v1/servers/:id/transfer-organization",
      refusals: {
        move_under_way: {
          message:
            "A project is being moved from or to {name}. Transfer it when the move has ended and the other server is cleared.",
        },
        has_balanced_project: {
          message:
            "{project_name} is behind a load balancer. Take it out of there before one of its servers is transferred.",
        },
      },
    },
    resize: {
      route: "POST /api/v1/servers/:id/resize",
      refusals: {
        ...ofMachines,
        busy: { message: "Work is under way on {name}. Try again when it has ended." },
        being_resized: { late: true, code: "conflict", message: "The same work is under way already." },
      },
    },
    snapshot: {
      route: "POST /api/v1/servers/:id/snapshots",
      refusals: {
        ...ofMachines,
        connection_deleted: { late: true, message: "The connection to the provider was deleted." },
      },
    },
  },
});

export const snapshotCapabilities = capabilities<SnapshotRow>()({
  noun: "snapshot",
  record: "GET /api/v1/server-snapshots/:id",
  state: { field: "state", values: snapshotStates },
  verbs: {
    delete: {
      route: "DELETE /api/v1/server-snapshots/:id",
      refusals: {
        creating: { when: { state: ["creating"] }, message: "The snapshot {name} is being made." },
        deleting: { when: { state: ["deleting"] }, message: "The snapshot {name} is being deleted." },
      },
    },
  },
});

export const connectionCapabilities = capabilities<ProviderRow>()({
  noun: "server_provider",
  record: "GET /api/v1/server-providers",
  verbs: {
    delete: {
      route: "DELETE /api/v1/server-providers/:id",
      refusals: {
        ordering: {
          message: "A server is being ordered with {name}. Wait until that has ended, or delete the server.",
        },
        needed: {
          message:
            "{name} is needed: {uses}. Delete them first, or send keep_servers=true: servers then become custom servers, and what is at the provider stays there and is billed.",
        },
      },
    },
  },
});
