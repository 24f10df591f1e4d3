import { type Area, endpoint, everyRequest, everyRoute, rule, testsIn } from "./rule.ts";

const served = testsIn("test/e2e/certificates.e2e.test.ts");
const orders = testsIn("src/features/certificates/tests/orders.test.ts");
const governor = testsIn("src/features/certificates/tests/governor.test.ts");
const attempts = testsIn("src/features/certificates/tests/attempts.test.ts");
const uploaded = testsIn("src/features/certificates/tests/uploaded.test.ts");
const preflight = testsIn("src/features/certificates/tests/preflight.test.ts");
const client = testsIn("src/providers/acme/tests/client.test.ts");
const siteNames = testsIn("src/host/tests/site-names.test.ts");
const shape = everyRequest("is answered as documented: … of them");

export const certificateRules: Area = {
  title: "Certificates",
  rules: [
    endpoint(
      "POST /api/v1/certificates with project_id and domain_id answers ssl_response and nginx_response",
      served("serves the project with a certificate of the authority, and sends plain HTTP there"),
    ),
    endpoint(
      "GET /api/v1/projects/{projectId}/certificates answers an array of certificates",
      served("is recorded with its paths, its names and its day of expiry"),
      shape,
    ),
    endpoint(
      "GET /api/v1/projects/{projectId}/certificates/{certificateId} answers one certificate",
      served("is recorded with its paths, its names and its day of expiry"),
    ),
    endpoint(
      "POST /api/v1/projects/{projectId}/certificates/{certificateId}/renew answers nginx_response",
      served("replaces certificate and key, and is answered with what was said"),
    ),
    endpoint(
      "DELETE /api/v1/certificates/{projectId} removes the certificate and reverts the project to HTTP",
      served("is removed with the certificate, and the site is served over HTTP again"),
    ),
    endpoint(
      "POST /api/v1/projects/{projectId}/certificates/custom serves a certificate of one's own",
      served("is served, and its key is on the server alone"),
      served("is not renewed, and gives way to one of the authority"),
    ),
    rule(
      "An uploaded certificate is checked: readable, valid, with its key, for every name",
      served("is refused with what is wrong with it"),
      uploaded("has to cover every name"),
      uploaded("has to be valid now"),
      uploaded("has to belong to the key"),
    ),
    rule(
      "Provisioned automatically when SSL is enabled for a project",
      served("that is enabled when it is created gets its certificate after the installation"),
      served("that is enabled by publishing gets its certificate by itself"),
    ),
    rule(
      "publish: force_ssl 1 updates the SSL configuration, 0 removes it",
      served("is disabled and enabled by publishing, with the same certificate"),
    ),
    rule(
      "One certificate for all names of a project, ordered again when they change",
      orders("are all that the site answers to: www forms and names that redirect too"),
      orders("when its names have changed, whether some are new or gone"),
      served("changed under load shows no wrong certificate, and ends with one for all names"),
    ),
    rule(
      "A name is never shown the certificate of another",
      siteNames("is shown for the names it covers, and for no other"),
      served("changed under load shows no wrong certificate, and ends with one for all names"),
      served("shows no certificate to who asks for a name that nobody has"),
    ),
    rule(
      "Private keys are made on the server and never leave it",
      served("leaves the key on the server, for root alone, and no challenge behind"),
    ),
    rule(
      "Renewed when less than a third of the life is left, with backoff",
      orders("a certificate is renewed when less than a third of its life is left, and not all on one day"),
      orders("comes later and later, up to a day"),
      orders("is spread, and not before the authority takes orders again"),
    ),
    rule(
      "A failure leaves the present certificate, and its reason in a sentence",
      served("of the DNS names what to change, and the authority is not asked"),
      served("of port 80 says so, and the authority is not asked"),
      served("of the proof tells what the authority saw"),
      preflight("that points elsewhere is told with what to set, and inner networks are not asked"),
      attempts("that fails is told, and what served before goes on serving"),
    ),
    rule(
      "A failure is told once a day, and a renewal when it is served",
      attempts("that fails is told once a day, and repeated when its time has come"),
      attempts("that is served is recorded and told"),
    ),
    rule(
      "Bad nonces and failures that pass are retried",
      client("ends with a certificate for its names, though the authority rejects many nonces"),
      served("of nonces is not noticed"),
      served("of the authority that passes is waited for"),
      attempts("that cannot be reached is asked five times more, and then named with the reason"),
      attempts("that asks for patience again and again does not keep an order open"),
    ),
    rule(
      "Limits of the authority hold over all organizations, and are told with the time",
      served("of a limit is told with the time, nobody asks before it is over, and other domains go on"),
      governor("is given as often as the account may, also to many who ask at once"),
      governor("is given until a registered domain has its certificates, over everybody's projects"),
      governor("about a domain stops orders for that domain until the authority's time"),
    ),
    rule(
      "A project has one order at a time, which survives a kill of the control plane",
      served("happens once for all who ask at the same time"),
      served("goes on after the control plane was killed, with the same order"),
    ),
    rule(
      "TLS is Mozilla's intermediate profile",
      served("speaks no weak protocol"),
      served("takes no weak cipher"),
      served("speaks HTTP/2, does not compress, and renegotiates only safely"),
    ),
    rule(
      "OCSP is stapled only where the authority offers it",
      served("is answered with what the authority says over OCSP, where it offers that"),
    ),
    rule(
      "Deleting a project removes its certificates from the server",
      served("removes its certificates from the server"),
    ),
    rule(
      "A restricted membership finds only certificates of projects in reach",
      everyRoute("hides from a restricted membership that does not reach it"),
    ),
  ],
};
