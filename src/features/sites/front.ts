import type { Site } from "../../host/nginx/model.ts";
import { onServer, tlsOf } from "../projects/on-server.ts";
import type { PlacedProject } from "../projects/schema.ts";

/** The public site: on the load balancer, or the project's own. */
export function frontSite(project: PlacedProject): Site {
  const own = onServer(project, false).site;
  const { load_balancer_id: balancer, balance, certificate, forwarders, trusted_proxies } = project.site;
  if (balancer === null || !balance) return own;
  return {
    ...own,
    kind: { family: "balanced", nodes: balance.nodes },
    tls: tlsOf(project, certificate),
    markdownNegotiation: false,
    proxies: [...new Set([...forwarders, ...trusted_proxies])],
    balancer: undefined,
  };
}
