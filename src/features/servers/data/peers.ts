import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { touchAll } from "../../../engine/reconcile/reconcile.ts";
import type { TargetKind } from "../../../engine/reconcile/target.ts";
import { applying, fromTheStart, type Plan, plan, type Step, step } from "../../../engine/runs/plan.ts";
import type { PeriodicTask } from "../../../engine/schedule/schedule.ts";
import { activateFirewall, writeFirewall } from "../../../host/network/firewall.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { firewallRules } from "../setup/plans.ts";
import { type Firewall, findFirewall, listOutdatedFirewalls, peersKind, peersMark } from "./queries.ts";

/** Gives exactly the organization's present servers access to the data of a provisioned one. */
export const peersPlan = (server: Firewall): Plan =>
  plan(
    peersKind.kind,
    admitting(server.serverId, server.peers, [
      step(
        "firewall-rules",
        "Firewall rules",
        withPrelude("The firewall's rules could not be written.", writeFirewall(firewallRules(server))),
        { checkpoint: false },
      ),
      step("firewall", "Firewall", withPrelude("The firewall's rules could not be loaded.", activateFirewall), {
        checkpoint: false,
      }),
    ]),
    { pointOfNoReturn: fromTheStart },
  );

/** Declares that the steps of the firewall, among these of a plan, admit the peers. */
export const admitting = (serverId: number, peers: readonly string[], steps: readonly Step[]): Step[] =>
  steps.map((each) =>
    firewallKeys.includes(each.key)
      ? applying({ ...peersKind, subjectId: serverId }, each, each.key === "firewall" ? peersMark(peers) : null)
      : each,
  );

const firewallKeys: readonly string[] = ["firewall-rules", "firewall"];

/** The firewall of a server with data. */
export const peersTarget: TargetKind = {
  ...peersKind,
  desired: async (tx, { serverId }) => {
    const firewall = await findFirewall(tx, serverId);
    return firewall && peersPlan(firewall);
  },
};

/**
 * Servers are added, deleted, moved to another organization or get another address: the firewalls of the servers with data follow
 * within half a minute. Comparing is safer than a call at each of these places.
 */
export const peersSchedule = (ctx: Context): PeriodicTask => ({
  name: "reconcile-firewall-peers",
  everyMs: 30_000,
  work: () =>
    transaction(ctx.pool, async (tx) => {
      const outdated = await listOutdatedFirewalls(tx, 100);
      await touchAll(
        tx,
        ctx.queue,
        outdated.map(({ serverId }) => ({ ...peersKind, subjectId: serverId, serverId })),
      );
    }),
});
