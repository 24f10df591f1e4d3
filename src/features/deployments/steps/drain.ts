import { type Step, step } from "../../../engine/runs/plan.ts";
import { awaitAnswers } from "../../../host/network/busy.ts";
import { drainingFlag } from "../../../host/nginx/balancer.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import type { Work } from "./work.ts";

// A server behind a load balancer accepts no new requests while its release is replaced. nginx checks the flag for each request:
// while it is set, requests from the balancer are rejected, and the balancer sends them to another server.

/**
 * Rejects the balancer's requests, and waits for the end of those that began before; unless they continue in the old process,
 * which has its own drain time.
 */
export const leaveBalancer = (work: Work): Step =>
  step(
    "leave-balancer",
    "Take the server out of its load balancer",
    lines(
      sh`: > ${drainingFlag(work.layout)}`,
      work.ports && work.project.zeroDowntime
        ? sh`sleep 0.2`
        : awaitAnswers(work.layout, work.settings.nodeDrainSeconds),
      sh`echo "The load balancer's requests go to the other servers."`,
    ),
    { phase: "activate", timeoutSeconds: work.settings.nodeDrainSeconds + 60, undo: ready(work) },
  );

/** Accepts the balancer's requests again. */
export const joinBalancer = (work: Work): Step =>
  step("join-balancer", "Put the server back behind its load balancer", ready(work), {
    phase: "finish",
    onFailure: "continue",
    timeoutSeconds: 60,
  });

const ready = ({ layout }: Work): Script => sh`rm -f -- ${drainingFlag(layout)}`;
