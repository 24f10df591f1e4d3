import { capabilities } from "../../http/capabilities.ts";
import { type ServerRow, serverStatus } from "../servers/schema.ts";
import { keysPerServer } from "./schema.ts";

export const accessCapabilities = capabilities<ServerRow>()({
  noun: "server",
  record: "GET /api/v1/servers/:id",
  verbs: {
    grant_ssh_access: {
      route: "POST /api/v1/servers/:id/ssh-access",
      refusals: {
        setup_not_ended: {
          unless: { server_status: [serverStatus.provisioned] },
          message: "The setup of {name} has not ended yet.",
        },
        opens_this_machine: {
          message:
            "Longshore itself runs on {name}, and with it everything of all organizations: only an Owner of this one puts SSH keys onto it.",
        },
        too_many: { message: `{name} has ${keysPerServer} SSH keys, and more are not possible.` },
      },
    },
  },
});
