import { capabilities } from "../../http/capabilities.ts";
import { type ServerRow, serverStatus } from "../servers/schema.ts";
import type { ProviderRow } from "./providers/schema.ts";
import { type SnapshotRow, snapshotStates } from "./schema.ts";

const ofMachines = {
  no_machine: { message: "{name} has no machine that was ordered with Longshore." },
  foreign_connection: { message: "{name} was ordered with a connection of another organization." },
  not_set_up: { unless: { server_status: [serverStatus.provisioned] }, message: "{name} is not set up yet." },
} as const;

export const machineCapabilities = capabilities<ServerRow>()({
  noun: "server",
  record: "GET /api/v1/servers/:id",
  verbs: {
    resize: {
      route: "POST /api/v1/servers/:id/resize",
      refusals: {
        ...ofMachines,
        busy: { message: "Work is under way on {name}. Try again when it has ended." },
        being_resized: { code: "conflict", message: "The same work is under way already." },
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
  path: "/api/v1/server-providers/:id",
  verbs: {
    delete: {
      route: "DELETE /api/v1/server-providers/:id",
      refusals: {
        ordering: {
          message: "A server is being ordered with {name}. Wait until that has ended, or delete the server.",
        },
        needed: {
          message:
            "{name} is needed: {uses}. Delete them first, or disconnect and keep the servers (keep_servers): they then become custom servers, and what is at the provider stays there and is billed.",
        },
      },
    },
  },
});
