import { capabilities } from "../../../http/capabilities.ts";
import type { DomainRow } from "../../site-records/schema.ts";

const ofAll = {
  taken_back: { late: true, message: "{reason|The change was taken back.}" },
} as const;

export const domainCapabilities = capabilities<DomainRow>()({
  noun: "domain",
  record: "GET /api/v1/projects/:id/domains",
  path: "/api/v1/projects/:id/domains/:domainId",
  verbs: {
    make_primary: {
      route: "PUT /api/v1/projects/:id/domains/:domainId/primary",
      refusals: {
        redirects: {
          unless: { redirect_to: [null] },
          message:
            "{domain_name} redirects to {redirect_to}: remove its redirect before it becomes the primary domain.",
        },
        ...ofAll,
      },
    },
    redirect: {
      route: "PUT /api/v1/projects/:projectId/domains/:domainId/redirect",
      refusals: {
        is_primary: {
          late: true,
          message:
            "{domain_name} is the primary domain and cannot redirect elsewhere: make another domain the primary one first.",
        },
        ...ofAll,
      },
    },
    delete: {
      route: "DELETE /api/v1/projects/:projectId/domains/:domainId",
      refusals: {
        is_only_one: {
          late: true,
          message: "{domain_name} is the only domain of the project: add another one before it is deleted.",
        },
        is_primary: {
          when: { is_primary: [true] },
          message:
            "{domain_name} is the primary domain and cannot be deleted: make another domain the primary one first.",
        },
        ...ofAll,
      },
    },
  },
});
