import { Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import type { Run } from "../../engine/runs/queries.ts";
import { described, Id, maxId, Nullable, named, OneOf, OneOfIntegers } from "../../http/schemas.ts";
import { ServerAnswer } from "../sites/schema.ts";

/** The order of a certificate: the workflow. */
export const orderKind: Kind = { kind: "certificate-order", subject: "certificate_order" };
/** Runs that prove to the authority that a project's names lead to its server. */
export const certificateKind: Kind = { kind: "certificate", subject: "project" };
/** What ended orders left on a server. */
export const cleanupKind: Kind = { kind: "certificate-cleanup", subject: "project" };

export type Source = "acme" | "custom";

/** A certificate as readers see it. */
export interface CertificateRow {
  id: number;
  project_id: number;
  domain_id: number;
  cert_name: string;
  source: Source;
  status: 0 | 1 | 2 | 3;
  names: string[];
  left_out: LeftOut[];
  /** The version of the served certificate; before that, of the first order. */
  version: number;
  expires_at: string | null;
  renews_at: string | null;
  error: string | null;
  created_at: string;
  updated_at: string;
}

/** A name that its order went without, since its proof would have failed for all. */
export interface LeftOut {
  name: string;
  /** A sentence with what to change. */
  reason: string;
}

/** The data that decide whether a project needs another certificate. */
export interface CertificateState {
  id: number;
  project_id: number;
  source: Source;
  version: number | null;
  server_id: number | null;
  names: string[];
  not_after: string | null;
  renew_at: string | null;
  failures: number;
  failed_names: string[] | null;
  retry_at: string | null;
  announced_at: string | null;
}

export type Purpose = "issue" | "renewal" | "custom";
export type Outcome = "succeeded" | "failed" | "cancelled";

/** A challenge that the authority validates. */
export interface Challenge {
  name: string;
  token: string;
  /** The content that the server has to publish. */
  content: string;
}

export interface Failure {
  /** Sentences for the reader. */
  reasons: readonly string[];
  /** Whether the authority was asked, so that another attempt counts against limits. */
  isCounted: boolean;
  /** Not before this. */
  until?: string;
}

/** The workflow's data besides the results in the order's row. */
export interface OrderData {
  projectId: number;
  /** It only has to be installed. */
  isUploaded: boolean;
  /** No request asked for it: it is worth an order only if it improves on the present certificate. */
  isAutomatic?: boolean;
  /** The request on the server has names that were left out since. */
  isNarrowed?: boolean;
  hasChallenges?: boolean;
  /** The authority was asked to validate. */
  isAsked?: boolean;
  failure?: Failure;
}

/** One attempt to get a certificate. Its id names the directory of the certificate on the server. */
export interface OrderRow {
  id: number;
  project_id: number;
  server_id: number;
  purpose: Purpose;
  outcome: Outcome | null;
  names: string[];
  left_out: LeftOut[];
  probe: string;
  directory: string | null;
  request: string | null;
  order_url: string | null;
  challenges: Challenge[];
  chain: string | null;
  /** The run that installs it. */
  install_run_id: number | null;
  log: string[];
  error: string | null;
}

/** The outcome of an order, for the waiting caller. */
export interface OrderReport {
  order: OrderRow;
  /** The run that installed the certificate, if the order came so far. */
  installation: { run: Run; output: string[] } | undefined;
}

const text = Type.String();

const Day = (what: string) => Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: `YYYY-MM-DD; ${what}` });

const UncoveredName = named(
  "UncoveredName",
  Type.Object({ name: described(text, "A host name"), reason: described(text, "What to change, in a sentence") }),
  "A name that a certificate does not cover, and why",
);

export const Certificate = named(
  "Certificate",
  Type.Object({
    id: Id,
    project_id: described(Id, "Whose names it has"),
    domain_id: Type.Integer({ description: "The project's primary domain" }),
    cert_name: described(text, "The primary domain, by which the server knows it"),
    cert_path: Type.String({ description: "The certificate with its chain, on the server" }),
    cert_key_path: Type.String({ description: "The private key, which is on the server alone" }),
    status: OneOfIntegers([0, 1, 2, 3], { description: "0 pending, 1 active, 2 failed, 3 expired" }),
    expires_at: Nullable(Day("null before there is one")),
    renews_at: Nullable(Day("when renewal begins")),
    source: OneOf(["acme", "custom"], { description: "Issued by the authority, or uploaded" }),
    names: Type.Array(text, { description: "What it covers" }),
    left_out: Type.Array(UncoveredName, {
      description:
        "Names of the project that it does not cover, since they do not lead here. It is ordered again when they do.",
    }),
    error: Nullable(Type.String({ description: "Why the last attempt failed" })),
  }),
  "The certificate of a project",
);
export const CertificateList = named("CertificateList", Type.Array(Certificate));

const projectId = described(Id, "The `id` of a project");
export const ProjectIdParams = Type.Object({ projectId });
export const CertificateParams = Type.Object({
  projectId,
  certificateId: described(Id, "The `id` of a certificate of the project"),
});

export const CertificateRequest = named(
  "CertificateRequest",
  Type.Object({
    project_id: Type.Integer({ minimum: 1, maximum: maxId, title: "project", description: "Whose domains it is for" }),
    domain_id: Type.Integer({ minimum: 1, maximum: maxId, title: "domain", description: "The primary one" }),
  }),
);

const Pem = (title: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 100_000, title, description });

export const CustomCertificateRequest = named(
  "CustomCertificateRequest",
  Type.Object({
    certificate: Pem("certificate", "PEM: the certificate, followed by those between it and the root"),
    private_key: Pem("private key", "PEM, without a passphrase; it fits the certificate"),
  }),
);

const CertificateResponses = named(
  "CertificateResponses",
  Type.Object({
    ssl_response: Nullable(ServerAnswer),
    nginx_response: Nullable(ServerAnswer),
  }),
  "What the server answered while the certificate was ordered and installed",
);

/** With 202 the outcome is not known yet. */
export const CertificateAnswer = named(
  "CertificateAnswer",
  Type.Object({
    status: OneOf(["success", "failed"], { description: "failed: what served before keeps serving" }),
    message: text,
    data: CertificateResponses,
  }),
);
