import { projectLayout } from "../../host/layout.ts";
import { healthPaths } from "../../host/nginx/balancer-health.ts";
import { sh } from "../../host/sh.ts";
import type { RequestContext } from "../../http/route.ts";
import { withDeadline } from "../../lib/deadline.ts";
import { getProject } from "../projects/actions.ts";
import { findServerName, listNodes } from "./queries.ts";
import type { NodeRow, NodeState } from "./schema.ts";

const patienceMs = 5_000;

/** Where a project is served, and the present state of its servers at the load balancer. */
export async function showBalance(ctx: RequestContext, id: number) {
  const { load_balancer_id: balancerId } = (await getProject(ctx, id)).site;
  if (balancerId === null) return { load_balancer_id: null, load_balancer_name: null, nodes: [] };
  const [balancer, nodes, flags] = await Promise.all([
    findServerName(ctx.pool, balancerId),
    listNodes(ctx.pool, id),
    readFlags(ctx, id, balancerId),
  ]);
  return {
    load_balancer_id: balancerId,
    load_balancer_name: balancer?.name ?? null,
    nodes: nodes.map((node) => ({
      server_id: node.server_id,
      server_name: node.server_name,
      state: stateOf(node, flags),
    })),
  };
}

type Flags = ReadonlyMap<number, NodeState> | undefined;

export function stateOf({ server_id: id, is_live: isLive, role }: NodeRow, flags: Flags): NodeState {
  if (role === "leaving") return "leaving";
  if (!isLive) return "installing";
  return flags === undefined ? "unknown" : (flags.get(id) ?? "serving");
}

/** Undefined: the load balancer did not respond in time, or its health check does not run. */
async function readFlags(ctx: RequestContext, id: number, balancerId: number): Promise<Flags> {
  const asked = askBalancer(ctx, id, balancerId).catch(() => undefined);
  const answer = await withDeadline(patienceMs, asked, () => undefined);
  return answer === undefined ? undefined : parseFlags(answer);
}

async function askBalancer(ctx: RequestContext, id: number, balancerId: number): Promise<string | undefined> {
  const host = await ctx.hosts.get(balancerId);
  const printFlags = sh`
    [ -n "$(find ${healthPaths.heartbeat} -newermt '-10 seconds')" ] || exit 1
    grep -H . ${projectLayout(id).state}/out-* 2> /dev/null || true`;
  const { exitCode, stdout } = await host.exec(printFlags, { timeoutMs: patienceMs });
  return exitCode === 0 ? stdout : undefined;
}

/** Lines of `…/out-<node>:<reason>`. */
export function parseFlags(text: string): ReadonlyMap<number, NodeState> {
  const flags = [...text.matchAll(/\/out-(\d+):(draining|unreachable)$/gm)];
  return new Map(flags.map(([, node, reason]) => [Number(node), reason as NodeState]));
}
