import { resolve } from "node:path";
import type { Settings } from "./setting.ts";
import { integer, isMailbox, oneOf, url } from "./values.ts";

/** Certificates, for projects and for itself. */
export const certificateSettings = {
  http3: {
    env: "LONGSHORE_HTTP3",
    ...oneOf(["off", "on"]),
    default: "off",
    about:
      "Whether servers that are set up from now on speak HTTP/3 besides, where their nginx was built with it. nginx loses HTTP/3 requests when it reloads, which a change of domains or certificates makes it do; HTTP/2 loses none.",
  },
  acmeDirectory: {
    env: "LONGSHORE_ACME_DIRECTORY",
    ...url("https:", "http:"),
    default: "https://acme-v02.api.letsencrypt.org/directory",
    about:
      "The directory of the authority that issues certificates. Issuing one agrees to its terms of service. Another directory gets an account of its own; certificates that serve stay until they are renewed.",
  },
  acmeContact: {
    env: "LONGSHORE_ACME_CONTACT",
    type: "an e-mail address",
    about: "Whom the authority writes to about the account.",
    parse: (text): string | undefined => (isMailbox(text) ? text : undefined),
  },
  acmeEmail: {
    env: "LONGSHORE_ACME_EMAIL",
    type: "an e-mail address",
    about: "Another name of `LONGSHORE_ACME_CONTACT`, which is used if both are set.",
    parse: (text): string | undefined => (isMailbox(text) ? text : undefined),
  },
  acmeTrustFile: {
    env: "LONGSHORE_ACME_TRUST_FILE",
    type: "a file of certificates (PEM)",
    about: "Whom to trust besides the system's authorities when the authority is asked: for one of your own.",
    parse: (text): string => resolve(text),
  },
  acmeExternalKeyId: {
    env: "LONGSHORE_ACME_EXTERNAL_KEY_ID",
    type: "a key id",
    about: "External account binding, where the authority asks for it: the id of the key.",
    parse: (text): string => text,
  },
  acmeExternalKey: {
    env: "LONGSHORE_ACME_EXTERNAL_KEY",
    type: "a key in base64url",
    about: "External account binding: the key itself.",
    secret: true,
    parse: (text): string | undefined => (/^[A-Za-z0-9_-]{8,}=*$/.test(text) ? text : undefined),
  },
  acmeAccountLimit: {
    env: "LONGSHORE_ACME_ACCOUNT_LIMIT",
    ...integer(0, 1_000_000),
    default: "300",
    about: "How many certificates are ordered in three hours, over all organizations; 0: no limit.",
  },
  acmeDomainLimit: {
    env: "LONGSHORE_ACME_DOMAIN_LIMIT",
    ...integer(0, 1_000_000),
    default: "50",
    about:
      "How many certificates are ordered in seven days for one registered domain, renewals not counted; 0: no limit.",
  },
  acmeSameNamesLimit: {
    env: "LONGSHORE_ACME_SAME_NAMES_LIMIT",
    ...integer(0, 1_000_000),
    default: "5",
    about: "How many certificates are ordered in seven days for the very same names; 0: no limit.",
  },
} as const satisfies Settings;
