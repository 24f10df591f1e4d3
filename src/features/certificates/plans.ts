import { type Plan, plan, step } from "../../engine/plan.ts";
import {
  type ChallengeFile,
  checkServedCertificate,
  makeKeyAndRequest,
  putCertificate,
  removeCertificate,
  removeChallenges,
  removeOldCertificates,
  showChallenges,
} from "../../host/certificate.ts";
import type { ProjectLayout } from "../../host/layout.ts";
import { siteNames } from "../../host/nginx/names.ts";
import type { Site } from "../../host/nginx/site.ts";
import { lines } from "../../host/sh.ts";
import { publishSite } from "../projects/site-step.ts";
import type { OrderRow } from "./schema.ts";

/** The address of the proof that a name leads here. */
export const probeOf = ({ id, probe }: Pick<OrderRow, "id" | "probe">) => ({
  name: `longshore-${id}`,
  content: probe,
});

/** The files that prove an order's names. */
export const challengeFilesOf = (order: Pick<OrderRow, "id" | "probe" | "challenges">): string[] => [
  probeOf(order).name,
  ...order.challenges.map(({ token }) => token),
];

const options = { phase: "certificate", timeoutSeconds: 120 };

/** Makes key and request on the server, and shows the file by which it is recognized. */
export const requestPlan = (
  layout: ProjectLayout,
  order: { id: number; names: readonly string[]; probe: ChallengeFile },
): Plan =>
  plan(
    "certificate-request",
    [
      step(
        "make-request",
        "Make the key and the request on the server",
        lines(showChallenges(layout, [order.probe]), makeKeyAndRequest(layout, order.id, order.names)),
        { ...options, facts: { request: "base64" } },
      ),
    ],
    { pointOfNoReturn: "make-request" },
  );

/** Shows the proof to the authority. */
export const challengePlan = (layout: ProjectLayout, files: readonly ChallengeFile[]): Plan =>
  plan(
    "certificate-challenge",
    [step("show-challenges", "Show what the authority looks at", showChallenges(layout, files), options)],
    { pointOfNoReturn: "show-challenges" },
  );

export interface Installation {
  /** The order that made the certificate. */
  id: number;
  chain: string;
  /** Whether its key was uploaded with it. */
  uploaded: boolean;
  /** The site with the certificate, and as it is now. */
  site: Site;
  former: Site;
  /** Files of the proof, which are no longer needed. */
  challenges: readonly string[];
}

/**
 * Gives the site its certificate. Until it was seen to be served, everything can be put back: the former one with its key
 * is where it was.
 */
export const installPlan = ({ id, chain, uploaded, site, former, challenges }: Installation): Plan => {
  const { layout } = site;
  const covered = siteNames(site).filter((name) => site.tls?.names.includes(name));
  return plan(
    "certificate-install",
    [
      step("put-certificate", "Put the certificate on the server", putCertificate(layout, id, { chain, uploaded }), {
        ...options,
        undo: removeCertificate(layout, id),
      }),
      { ...publishSite(site), undo: publishSite(former).script },
      step(
        "check-served-certificate",
        "Check which certificate is served",
        checkServedCertificate(layout, id, covered),
        options,
      ),
      removeLeftovers(layout, { keep: [id], upTo: id, challenges }),
    ],
    { pointOfNoReturn: "check-served-certificate" },
  );
};

interface Leftovers {
  /** Certificates that stay. */
  keep: readonly number[];
  /** The last one that this is about: later ones belong to another run. */
  upTo: number;
  challenges: readonly string[];
}

/** Removes the leftovers of orders, and certificates that are not wanted any more. */
export const cleanupPlan = (layout: ProjectLayout, leftovers: Leftovers & { orders: readonly number[] }): Plan =>
  plan("certificate-cleanup", [{ ...removeLeftovers(layout, leftovers), onFailure: "stop" as const }], {
    pointOfNoReturn: "remove-leftovers",
    version: leftovers.orders.join(" "),
  });

/** The orders whose challenges a clean-up removes. */
export const cleanedOrders = ({ version = "" }: Plan): number[] => version.split(" ").filter(Boolean).map(Number);

const removeLeftovers = (layout: ProjectLayout, { keep, upTo, challenges }: Leftovers) =>
  step(
    "remove-leftovers",
    "Remove what is not needed any more",
    lines(challenges.length > 0 && removeChallenges(layout, challenges), removeOldCertificates(layout, { keep, upTo })),
    { ...options, onFailure: "continue" as const },
  );
