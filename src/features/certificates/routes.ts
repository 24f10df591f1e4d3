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
import { certificateAnswerExample, certificateExample, removalExample } from "./examples.ts";
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
  "The request waits for the authority and the server for at most 90 seconds; past that it answers 202 and continues. " +
  "A failure gets 200 with `status: failed`: what served before keeps serving.";

export const certificateRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/certificates",
    tag,
    summary: "Issue a certificate for all names of a project",
    description:
      "Enables SSL for the project and orders one certificate for every name of its site: its domains, those that " +
      "redirect, and the forms that `www_redirect` adds. `domain_id` has to be the primary domain. Every name has " +
      "to lead to the project's server, or to its load balancer, with port 80 open: `GET /projects/:id/check-ns` " +
      "shows what to change. A name that does not lead there is left out, and covered later (`left_out`).\n\n" +
      `* 201 means that the certificate was verified as served. ${waits}\n` +
      "* `ssl_response` has the checks and the answers of the authority, `nginx_response` those of the server.\n" +
      "* A request while an order is under way waits for that order.\n" +
      "* A failed attempt is retried automatically: after a minute, or ten if the authority counted it, doubling up " +
      "to a day, and at once when the names change. Authorities limit orders and failures; a request that comes too " +
      "early fails with the time from which it is allowed.",
    permission: "project:update",
    body: CertificateRequest,
    status: 201,
    otherStatuses: [200, 202],
    reply: CertificateAnswer,
    errors: { refused: notInstalled, not_found: "The project does not exist, or is out of reach." },
    examples: { body: { project_id: 7, domain_id: 12 }, reply: certificateAnswerExample },
    check: checkRequest,
    handle: (ctx, { body }) => requestCertificate(ctx, body),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:projectId/certificates",
    tag,
    summary: "List a project's certificates",
    description:
      "At most one, which covers every name of the project; none before the first order. Poll it, or read the event " +
      "`certificate.updated`, after a 202.",
    permission: "project:read",
    params: ProjectIdParams,
    reply: CertificateList,
    examples: { reply: [certificateExample] },
    handle: (ctx, { params }) => showCertificates(ctx, params.projectId),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:projectId/certificates/:certificateId",
    tag,
    summary: "Read a certificate",
    description:
      "* `status` describes what is served: a failed renewal leaves it at 1, with the reason in `error`. 0 and 2 " +
      "come before the first success. An expired one (3) stays in service.\n" +
      "* `domain_id` and `cert_name` are the primary domain of the moment.\n" +
      "* `cert_path` and `cert_key_path` change with each renewal; before the first success they show where the " +
      "files will be.\n" +
      "* `left_out` are names that do not lead here; they are checked again, and a certificate with them is ordered " +
      "when they do.",
    permission: "project:read",
    params: CertificateParams,
    reply: Certificate,
    examples: { reply: certificateExample },
    handle: (ctx, { params }) => showCertificate(ctx, params.projectId, params.certificateId),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:projectId/certificates/:certificateId/renew",
    tag,
    summary: "Renew a certificate now",
    description:
      "Orders the next certificate, for the present names, and enables SSL if it is off. Certificates are renewed " +
      "automatically when less than a third of their lifetime is left, so this is for a certificate that has to be " +
      "replaced before. One that was uploaded is refused. The answer and the retries are those of " +
      `\`POST /certificates\`. ${waits}`,
    permission: "project:update",
    params: CertificateParams,
    reply: CertificateAnswer,
    otherStatuses: [202],
    errors: { refused: `The certificate was uploaded. ${notInstalled}` },
    examples: { reply: certificateAnswerExample },
    handle: (ctx, { params }) => renewCertificate(ctx, params.projectId, params.certificateId),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:projectId/certificates/custom",
    tag,
    summary: "Upload a certificate",
    description:
      "PEM, with the issuers of the certificate: in any order and with other text between them, since the certificate " +
      "is the one that the key belongs to, and the chain is put in order, without duplicates and root. It has to be " +
      "valid, match the key and cover every name of the project (422), and takes the place of the present " +
      "certificate. `warnings` names an issuer that the chain lacks, for which browsers refuse a site. Enables SSL. The " +
      "key is kept encrypted until the server has it, and not longer. The certificate is not renewed: upload the next one, or replace it with " +
      `\`POST /certificates\`. Names that are added later stay on plain HTTP. ${waits}`,
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
      reply: certificateAnswerExample,
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
      "Disables SSL, so that no new certificate is ordered, cancels an order under way, and has the site served " +
      "over plain HTTP. The request waits for the server for at most 90 seconds; past that it answers 202 and " +
      "continues. If the web server rejects the site, the answer is 200 with `status: failed`, and the certificate " +
      "stays. Its files stay until the web server serves the site without them. To switch SSL off and keep the " +
      "certificate, use `GET /projects/:id/publish?force_ssl=0`.",
    permission: "project:update",
    params: ProjectIdParams,
    reply: CertificateAnswer,
    otherStatuses: [202],
    errors: { refused: notInstalled },
    examples: { reply: removalExample },
    handle: (ctx, { params }) => removeCertificate(ctx, params.projectId),
  }),
];
