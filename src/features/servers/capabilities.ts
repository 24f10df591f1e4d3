import { capabilities } from "../../http/capabilities.ts";
import { type ServerRow, serverStatus, serverTypes } from "./schema.ts";

const { installing } = serverStatus;

const atWork = {
  setup_running: { message: "The setup of {name} is still running." },
  rebooting: { message: "{name} is rebooting. Set it up when it is back." },
} as const;

/** Why no project can be created on the server, or moved to it; undefined if one can. */
export function whyNoProjects({
  name,
  server_type,
  server_status,
}: Pick<ServerRow, "name"> & { server_type: number; server_status: number }): string | undefined {
  if (server_type !== serverTypes.app) return "The server must be an App server.";
  if (server_status === serverStatus.provisioned) return undefined;
  return setupNotEnded(name);
}

export const setupNotEnded = (name: string): string => `The setup of ${name} has not ended yet: wait for its end.`;

/** Whether a setup of the server ever reached its end: what it installs is there, also while another one runs. */
export const wasSetUp = ({
  server_status,
  setup_version,
}: Pick<ServerRow, "setup_version"> & { server_status: number }): boolean =>
  server_status === serverStatus.provisioned || setup_version !== null;

export const serverCapabilities = capabilities<ServerRow>()({
  noun: "server",
  record: "GET /api/v1/servers/:id",
  state: { field: "server_status", values: serverStatus },
  verbs: {
    update: { route: "PUT /api/v1/servers/:id", refusals: {} },
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
        ...atWork,
      },
    },
    run_setup: {
      route: "POST /api/v1/servers/:id/setup/run",
      refusals: {
        never_connected: {
          when: { server_status: [installing] },
          message: "{name} was never connected to. Run the connect command on it as root.",
        },
        ...atWork,
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
          message: "{name} is protected from deletion. Switch its deletion protection off first.",
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
        this_machine: {
          when: { is_this_machine: [true] },
          message:
            "Longshore itself runs on {name}, and the machine has everything of all organizations: it stays in this one.",
        },
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
  },
});
