import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { ProjectChanged } from "../projects/schema.ts";
import { balanceProject, checkBalance, unbalanceProject } from "./actions.ts";
import { balanceExample } from "./examples.ts";
import { BalanceAccepted, BalanceReply, BalanceRequest } from "./schema.ts";
import { showBalance } from "./state.ts";

export const loadBalancerRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/projects/:id/load-balancer",
    summary: "Read where a project is served, and the state of its servers",
    description:
      "`nodes` lists the project's servers, its own first, with their names even where the servers are out of your " +
      "reach. The load balancer is asked for their state at this moment, for at most five seconds; `unknown` means " +
      "that it did not answer. A project without a load balancer has null and no nodes.",
    permission: "project:read",
    params: IdParams,
    reply: BalanceReply,
    examples: { reply: balanceExample },
    handle: async (ctx, { params }) => success({ data: await showBalance(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/load-balancer",
    record: "/api/v1/projects/:id",
    summary: "Put a project on several servers behind a load balancer, or change the servers",
    description:
      "`server_ids` are 1 to 7 App servers besides the project's own. Each that is new gets the commit that is " +
      "live, by a deployment of `deployment_ids`, and visitors as soon as it serves; one that is no longer listed " +
      "is cleared when its last requests have ended, at the latest after 30 seconds. The request does not wait: " +
      "`GET` shows the state of each server. The domains must point to the load balancer, which then has the " +
      "certificate, the maintenance page, redirects and the access logs.\n\n" +
      "* There is one project record, whose settings apply to all servers. Deployments run on one server after the " +
      "other, and `rolling_of` names the deployment that a further one continues. Jobs run on the project's own " +
      "server alone.\n" +
      "* Load balancer and servers have to be connected, and their setups ended (422).\n" +
      "* A server from which the project is still being removed, after a move or an earlier balancer, is refused " +
      "until that is done.\n" +
      "* Catalog applications are refused: their data is on the disk of one server. So is a project in maintenance, " +
      "being moved, or behind another load balancer.\n" +
      "* While the project is balanced, it cannot be moved, none of its servers can be transferred, and its own " +
      "server and the load balancer cannot be deleted.",
    permission: "project:update",
    params: IdParams,
    body: BalanceRequest,
    status: 202,
    reply: BalanceAccepted,
    errors: {
      refused:
        "It is an app, not installed, in maintenance, being moved, behind another load balancer, or still being removed " +
        "from one of the servers.",
    },
    examples: {
      body: { load_balancer_id: 3, server_ids: [2] },
      reply: success({
        message: "The project is being installed on one more server; each gets visitors as soon as it serves.",
        project_id: 7,
        deployment_ids: [103],
      }),
    },
    check: checkBalance,
    handle: async (ctx, { params, body }) => success(await balanceProject(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/projects/:id/load-balancer",
    summary: "Take a project out of its load balancer",
    description:
      "The project is removed from the load balancer and from all servers but its own, in the background, and its " +
      "own serves it by itself again: point its domains there before. What was queued on the other servers is " +
      "cancelled. With SSL, a certificate is ordered there if it has none.",
    permission: "project:update",
    params: IdParams,
    status: 202,
    reply: ProjectChanged,
    errors: { refused: "It is behind no load balancer, or in maintenance." },
    examples: {
      reply: success({
        message: "The project serves by itself again. Its domains must point to its own server.",
        project_id: 7,
      }),
    },
    handle: async (ctx, { params }) => success(await unbalanceProject(ctx, params.id)),
  }),
];
