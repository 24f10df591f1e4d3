import type { Static } from "typebox";
import { success } from "../../http/schemas.ts";
import type { BalanceReply } from "./schema.ts";

// Examples for the API documentation.

export const balanceExample: Static<typeof BalanceReply> = success({
  data: {
    load_balancer_id: 3,
    load_balancer_name: "balancer-1",
    nodes: [
      { server_id: 1, server_name: "web-1", state: "serving" },
      { server_id: 2, server_name: "web-2", state: "installing" },
    ],
  },
});
