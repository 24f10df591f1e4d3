import { transaction } from "../../db/transaction.ts";
import { fromTheStart, type Plan, plan, step } from "../../engine/runs/plan.ts";
import { createRun, type RunKind } from "../../engine/runs/runs.ts";
import { scriptsBeside } from "../../host/script-file.ts";
import { sh } from "../../host/sh.ts";
import type { RequestContext } from "../../http/route.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { serverCapabilities } from "./capabilities.ts";
import { emitServer } from "./events.ts";
import { listActiveRuns, lockReachableServer, rebootKind, recordConnection, setupKind } from "./queries.ts";
import { rebootedAfterMinutes, scheduleCheck } from "./unreachable.ts";

const script = scriptsBeside(import.meta.url);

const shutdownSeconds = 300;

/**
 * Queues a reboot, unless one is queued or under way already. The machine that Longshore runs on takes Longshore with it: for this,
 * `confirm` has to be the server's name.
 */
export async function requestReboot(ctx: RequestContext, id: number, confirm?: string) {
  const name = await transaction(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, id);
    if (!server) throw notFound("The server");
    const active = new Set((await listActiveRuns(tx, id)).map((run) => run.kind));
    await serverCapabilities.refuse("reboot", server, { setup_running: () => active.has(setupKind.kind) });
    if (confirm !== undefined && confirm !== server.name) throw invalid({ confirm: otherName });
    if (server.is_this_machine && confirm === undefined) throw invalid({ confirm: unconfirmed(server.name) });
    if (active.has(rebootKind.kind)) return server.name;
    await createRun(tx, ctx.queue, { serverId: id, ...rebootKind, subjectId: id, plan: rebootPlan });
    await recordConnection(tx, id, { status: 0, error: "The server is rebooting." });
    await scheduleCheck(tx, ctx.queue, id, rebootedAfterMinutes);
    await emitServer(tx, server);
    return server.name;
  });
  return { message: `The reboot of ${name} was queued.`, server_id: id };
}

const otherName = "This is not the name of the server.";

const unconfirmed = (name: string): string =>
  `Longshore itself runs on ${name} and is away until it is back. Send the name of the server as confirm to reboot it all the same.`;

/**
 * The shutdown interrupts the first step, and the run continues when the server is back: the step then finds another boot id than
 * it noted, and ends.
 */
export const rebootPlan: Plan = plan(
  "reboot",
  [
    step("reboot", "Reboot", script("reboot.sh", { seconds: shutdownSeconds }), {
      checkpoint: false,
      timeoutSeconds: shutdownSeconds + 60,
    }),
    step(
      "services",
      "Wait for the services",
      sh`
        state=$(timeout 120 systemctl is-system-running --wait) || true
        echo "The system is $state."
        systemctl list-units --failed --plain --no-legend`,
      { checkpoint: false, onFailure: "continue", timeoutSeconds: 180 },
    ),
  ],
  { pointOfNoReturn: fromTheStart },
);

export const rebootRunKind: RunKind = {
  ...rebootKind,
  onEnded: async (tx, run, outcome) => {
    if (run.server_id === null) return;
    const result =
      outcome === "succeeded" ? { status: 1 as const, error: null } : { status: 0 as const, error: run.error };
    const changed = await recordConnection(tx, run.server_id, result);
    if (changed) await emitServer(tx, changed);
  },
};
