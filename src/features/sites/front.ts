import type { Site } from "../../host/nginx/model.ts";
import { onServer, tlsOf } from "../projects/on-server.ts";
import type { ProjectRow } from "../projects/schema.ts";

/** The public site: on the load balancer, or the project's own. */
export function frontSite(project: ProjectRow): Site {
  const own = onServer(project, false).site;
  const { load_balancer_id: balancer, balance, certificate } = project;
  if (balancer === null || !balance) return own;
  return {
    ...own,
    kind: { family: "balanced", nodes: balance.nodes },
    tls: tlsOf(project, certificate),
    markdownNegotiation: false,
    proxies: [...new Set([...project.forwarders, ...project.trusted_proxies])],
    balancer: undefined,
  };
}
