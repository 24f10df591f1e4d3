import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { balanceProject, checkBalance, unbalanceProject } from "./actions.ts";
import { BalanceAccepted, BalanceEnded, BalanceReply, BalanceRequest } from "./schema.ts";
import { showBalance } from "./state.ts";

export const loadBalancerRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/projects/:id/load-balancer",
    summary: "Read where a project is served, and the state of its servers",
    description: "The load balancer is asked now, for at most five seconds.",
    permission: "project:read",
    params: IdParams,
    reply: BalanceReply,
    handle: async (ctx, { params }) => success({ data: await showBalance(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/projects/:id/load-balancer",
    summary: "Put a project on several servers behind a load balancer, or change the servers",
    description:
      "The project is installed on each server that is new, with the commit that is live, and the load balancer serves its " +
      "domains from then on. Settings of the project apply to all its servers; deployments run on one after the other. " +
      "Its domains must point to the load balancer.",
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
    examples: { body: { load_balancer_id: 3, server_ids: [2] } },
    check: checkBalance,
    handle: async (ctx, { params, body }) => success(await balanceProject(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/projects/:id/load-balancer",
    summary: "Take a project out of its load balancer",
    description:
      "It is removed from the load balancer and from all servers but its own, which serves it by itself again. Its domains " +
      "must point there.",
    permission: "project:update",
    params: IdParams,
    status: 202,
    reply: BalanceEnded,
    errors: { refused: "It is behind no load balancer, or in maintenance." },
    handle: async (ctx, { params }) => success(await unbalanceProject(ctx, params.id)),
  }),
];
