import { capabilities } from "../../http/capabilities.ts";
import { projectRefusals } from "../projects/capabilities.ts";
import type { ProjectState } from "../projects/schema.ts";
import type { CertificateRow } from "./schema.ts";

const { not_prepared } = projectRefusals;
const installing = { late: true, message: "A certificate is being installed. Try again in a moment." } as const;

export const certifyingCapabilities = capabilities<ProjectState>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  verbs: {
    request_certificate: { route: "POST /api/v1/certificates", refusals: { not_prepared, installing } },
    upload_certificate: {
      route: "POST /api/v1/projects/:projectId/certificates/custom",
      refusals: { not_prepared, installing },
    },
    remove_certificate: { route: "DELETE /api/v1/certificates/:projectId", refusals: { not_prepared } },
  },
});

export const certificateCapabilities = capabilities<CertificateRow>()({
  noun: "certificate",
  record: "GET /api/v1/projects/:projectId/certificates/:certificateId",
  verbs: {
    renew: {
      route: "POST /api/v1/projects/:projectId/certificates/:certificateId/renew",
      refusals: {
        uploaded: {
          when: { source: ["custom"] },
          message: "The certificate was uploaded: upload the next one.",
        },
        not_prepared,
        installing,
      },
    },
  },
});
