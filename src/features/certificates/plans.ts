import { type Plan, plan, step } from "../../engine/runs/plan.ts";
import {
  type ChallengeFile,
  checkServedCertificate,
  makeKeyAndRequest,
  putCertificate,
  removeCertificate,
  removeChallenges,
  removeOldCertificates,
  showChallenges,
} from "../../host/certificates/certificate.ts";
import type { ProjectLayout } from "../../host/layout.ts";
import type { Site } from "../../host/nginx/model.ts";
import { siteNames } from "../../host/nginx/names.ts";
import { lines } from "../../host/sh.ts";
import { publishSite } from "../sites/steps.ts";
import type { OrderRow } from "./schema.ts";

/** The path of the probe that shows that a name resolves to this server. */
export const probeOf = ({ id, probe }: Pick<OrderRow, "id" | "probe">) => ({
  name: `longshore-${id}`,
  content: probe,
});

/** The challenge files of an order's names. */
export const challengeFilesOf = (order: Pick<OrderRow, "id" | "probe" | "challenges">): string[] => [
  probeOf(order).name,
  ...order.challenges.map(({ token }) => token),
];

const options = { phase: "certificate", timeoutSeconds: 120 };

/** Makes the key and the certificate request on the server, and publishes the probe file. */
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

/** Publishes the challenges for the authority. */
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
  /** Whether its key was uploaded too. */
  uploaded: boolean;
  /** The site with the certificate, otherwise as it is now. */
  site: Site;
  former: Site;
  /** Challenge files, which are no longer needed. */
  challenges: readonly string[];
}

/**
 * Installs the certificate of the site. Everything can be undone until the new one is verified as served: the former certificate
 * and its key stay in place.
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
  /** The highest version that this run may remove: later ones belong to another run. */
  upTo: number;
  challenges: readonly string[];
}

/** Removes the leftovers of orders, and unused certificates. */
export const cleanupPlan = (layout: ProjectLayout, leftovers: Leftovers & { orders: readonly number[] }): Plan =>
  plan("certificate-cleanup", [{ ...removeLeftovers(layout, leftovers), onFailure: "stop" as const }], {
    pointOfNoReturn: "remove-leftovers",
    version: leftovers.orders.join(" "),
  });

/** The orders whose challenges a clean-up plan removes. */
export const cleanedOrders = ({ version = "" }: Plan): number[] => version.split(" ").filter(Boolean).map(Number);

const removeLeftovers = (layout: ProjectLayout, { keep, upTo, challenges }: Leftovers) =>
  step(
    "remove-leftovers",
    "Remove what is not needed any more",
    lines(challenges.length > 0 && removeChallenges(layout, challenges), removeOldCertificates(layout, { keep, upTo })),
    { ...options, onFailure: "continue" as const },
  );
