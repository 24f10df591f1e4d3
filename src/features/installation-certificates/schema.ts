import type { Config } from "../../config.ts";
import type { ChallengeType } from "../../providers/acme/client.ts";

/** The certificate that all processes with these names serve. Times are ISO 8601. */
export interface InstallationCertificate {
  id: number;
  /** Sorted. */
  names: string[];
  /** `self`: it signs itself, until the authority has issued one. */
  source: "self" | "acme";
  /** PEM, encrypted. */
  private_key: Buffer;
  /** PEM. */
  chain: string;
  /** Grows with each certificate that replaces another. */
  version: number;
  not_after: string;
  renew_at: string;
  /** How the names were proven last. */
  challenge: ChallengeType | null;
  /** Of the attempts since the last success. */
  failures: number;
  /** Why the last attempt failed; null after a success. */
  error: string | null;
  /** No attempt before this time. */
  retry_at: string | null;
}

/** An attempt under way to get the next one. */
export interface InstallationOrder {
  id: number;
  certificate_id: number;
  directory: string;
  challenge: ChallengeType;
  /** PEM, encrypted. */
  private_key: Buffer;
  /** Null until the authority has accepted it. */
  url: string | null;
  created_at: string;
}

/** What the authority asks for at one of the names. */
export interface InstallationChallenge {
  token: string;
  name: string;
  key_authorization: string;
}

/** Notified when a certificate was replaced. */
export const certificateChannel = "installation_certificates";

/** The names that identify the certificate: all processes have to have the same. */
export const namesOf = ({ domains }: Pick<Config, "domains">): string[] => domains.toSorted();

/** Whether this installation orders its certificate. */
export const isOrdered = ({ domains, tlsCertificateFile }: Config): boolean =>
  domains.length > 0 && tlsCertificateFile === undefined;
