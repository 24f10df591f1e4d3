import { capabilities } from "../../http/capabilities.ts";
import type { SourceProject } from "./queries.ts";

const is_app = { when: { source_type: ["app"] }, message: "A catalog app has no repository." } as const;

export const sourceCapabilities = capabilities<SourceProject>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  verbs: {
    read_source: { route: "GET /api/v1/projects/:id/source", refusals: { is_app } },
    renew_webhook_secret: { route: "POST /api/v1/projects/:id/source/secret", refusals: { is_app } },
    register_source: {
      route: "POST /api/v1/projects/:id/source/register",
      refusals: {
        is_app,
        unconfirmed: {
          message:
            "A restricted member chose this repository. A member without restriction has to confirm it by registering it.",
        },
        no_account: {
          message: "No account of the project's git host is connected. Connect one, or register by hand.",
        },
      },
    },
  },
});
