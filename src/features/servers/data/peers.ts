import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { fromTheStart, type Plan, plan, step } from "../../../engine/plan.ts";
import { createRun, type RunKind } from "../../../engine/runs.ts";
import type { PeriodicTask } from "../../../engine/schedule/schedule.ts";
import { activateFirewall, writeFirewall } from "../../../host/firewall.ts";
import { withPrelude } from "../../../host/prelude.ts";
import { firewallRules, type ProvisionInput } from "../plans.ts";
import { claimAllowedPeers, listOutdatedFirewalls, peersKind } from "./queries.ts";

/** Lets the organization's servers of today reach the data of a provisioned one, and no others. */
export const peersPlan = (server: Parameters<typeof firewallRules>[0] & Pick<ProvisionInput, "peers">): Plan =>
  plan(
    peersKind,
    [
      step(
        "firewall-rules",
        "Firewall rules",
        withPrelude("The firewall's rules could not be written.", writeFirewall(firewallRules(server))),
        { checkpoint: false },
      ),
      step("firewall", "Firewall", withPrelude("The firewall's rules could not be loaded.", activateFirewall), {
        checkpoint: false,
      }),
    ],
    { pointOfNoReturn: fromTheStart },
  );

export const peersRunKind: RunKind = {
  kind: peersKind,
  // Forgotten, so that it is tried again.
  onEnded: async (tx, run, outcome) => {
    if (run.server_id !== null && outcome !== "succeeded") await claimAllowedPeers(tx, run.server_id, null);
  },
};

/**
 * Servers come, go, move to another organization or get another address: whatever it was, the firewalls of the servers
 * with data follow within half a minute. Comparing is safer than remembering to tell them at each of these places.
 */
export const peersSchedule = (ctx: Context): PeriodicTask => ({
  name: "reconcile-firewall-peers",
  everyMs: 30_000,
  work: () => followPeers(ctx),
});

async function followPeers(ctx: Context): Promise<void> {
  for (const { id, peers, ...server } of await listOutdatedFirewalls(ctx.pool, 100)) {
    const found = peersPlan({
      serverType: server.server_type,
      databaseEngine: server.database_engine,
      sshPort: server.ssh_port,
      peers,
    });
    await transaction(ctx.pool, async (tx) => {
      // Another process may have been first.
      if (!(await claimAllowedPeers(tx, id, peers))) return;
      await createRun(tx, ctx.queue, { serverId: id, kind: peersKind, subjectId: id, plan: found });
    });
  }
}
