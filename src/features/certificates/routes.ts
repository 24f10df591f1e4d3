import { type Route, route } from "../../http/route.ts";
import {
  checkRequest,
  checkUpload,
  removeCertificate,
  renewCertificate,
  requestCertificate,
  showCertificate,
  showCertificates,
  uploadCertificate,
} from "./actions.ts";
import {
  Certificate,
  CertificateAnswer,
  CertificateList,
  CertificateParams,
  CertificateRequest,
  CustomCertificateRequest,
  ProjectIdParams,
} from "./schema.ts";

const tag = "certificates";
const notInstalled = "The project is not installed on its server yet.";
const waits =
  "Waits for the authority and the server for at most 90 seconds; past that it answers 202 and continues. When it fails, " +
  "it answers 422 with `data`, what served before keeps serving, and it is retried automatically.";

export const certificateRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/certificates",
    tag,
    summary: "Issue a certificate for all names of a project",
    description: `Enables SSL for the project. ${waits}`,
    permission: "project:update",
    body: CertificateRequest,
    status: 201,
    otherStatuses: [200, 202],
    reply: CertificateAnswer,
    errors: { refused: notInstalled, not_found: "The project does not exist, or is out of reach." },
    examples: { body: { project_id: 1, domain_id: 1 } },
    check: checkRequest,
    handle: (ctx, { body }) => requestCertificate(ctx, body),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:projectId/certificates",
    tag,
    summary: "List a project's certificates",
    permission: "project:read",
    params: ProjectIdParams,
    reply: CertificateList,
    handle: (ctx, { params }) => showCertificates(ctx, params.projectId),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:projectId/certificates/:certificateId",
    tag,
    summary: "Read a certificate",
    permission: "project:read",
    params: CertificateParams,
    reply: Certificate,
    handle: (ctx, { params }) => showCertificate(ctx, params.projectId, params.certificateId),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:projectId/certificates/:certificateId/renew",
    tag,
    summary: "Renew a certificate now",
    description: `Certificates are renewed automatically when less than a third of their lifetime is left. ${waits}`,
    permission: "project:update",
    params: CertificateParams,
    reply: CertificateAnswer,
    otherStatuses: [202],
    errors: { refused: `The certificate was uploaded. ${notInstalled}` },
    handle: (ctx, { params }) => renewCertificate(ctx, params.projectId, params.certificateId),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:projectId/certificates/custom",
    tag,
    summary: "Upload a certificate",
    description:
      "PEM; the chain follows the certificate. It has to cover every name of the project. The key goes to the server and is " +
      "not kept. Enables SSL; the certificate is not renewed.",
    permission: "project:update",
    params: ProjectIdParams,
    body: CustomCertificateRequest,
    status: 201,
    otherStatuses: [200, 202],
    reply: CertificateAnswer,
    errors: { refused: `Another certificate is just being installed. ${notInstalled}` },
    examples: {
      body: {
        certificate: "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n",
        private_key: "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
      },
    },
    check: checkUpload,
    handle: (ctx, { params, body }) => uploadCertificate(ctx, params.projectId, body),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/certificates/:projectId",
    tag,
    summary: "Remove a project's certificate",
    description:
      "Disables SSL: the site is served over plain HTTP again, and nothing is renewed. Waits for the server for at most 90 " +
      "seconds; past that it answers 202 and continues.",
    permission: "project:update",
    params: ProjectIdParams,
    reply: CertificateAnswer,
    otherStatuses: [202],
    errors: { refused: notInstalled },
    handle: (ctx, { params }) => removeCertificate(ctx, params.projectId),
  }),
];
