import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { touchAll } from "../../../engine/reconcile/reconcile.ts";
import type { TargetKind } from "../../../engine/reconcile/target.ts";
import { fromTheStart, type Plan, plan, step } from "../../../engine/runs/plan.ts";
import type { PeriodicTask } from "../../../engine/schedule/schedule.ts";
import { activateFirewall, writeFirewall } from "../../../host/network/firewall.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { firewallRules, type SetupInput } from "../setup/plans.ts";
import { findOutdatedFirewall, listOutdatedFirewalls, peersKind, recordAllowedPeers } from "./queries.ts";

/** Gives exactly the organization's present servers access to the data of a provisioned one. */
export const peersPlan = (server: Parameters<typeof firewallRules>[0] & Pick<SetupInput, "peers">): Plan =>
  plan(
    peersKind.kind,
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

/** The firewall of a server with data. The version is the plan that opened it last. */
export const peersTarget: TargetKind = {
  ...peersKind,
  desired: async (tx, { serverId }) => {
    const outdated = await findOutdatedFirewall(tx, serverId);
    return (
      outdated && {
        ...peersPlan({
          serverType: outdated.server_type,
          databaseEngine: outdated.database_engine,
          sshPort: outdated.ssh_port,
          peers: outdated.peers,
        }),
        version: outdated.peers.join(" "),
      }
    );
  },
  onApplied: async (tx, { serverId }, run) => {
    if (run) await recordAllowedPeers(tx, serverId, run.plan.version ? run.plan.version.split(" ") : []);
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
        outdated.map(({ id }) => ({ ...peersKind, subjectId: id, serverId: id })),
      );
    }),
});
