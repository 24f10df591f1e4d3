import { capabilities } from "../../http/capabilities.ts";
import type { MemberRow } from "./queries.ts";

const lastOwner = {
  last_owner: {
    late: true,
    message: "This is the last Owner who reaches everything in the organization. Make another member Owner first.",
  },
} as const;

export const memberCapabilities = capabilities<MemberRow>()({
  noun: "member",
  record: "GET /api/v1/organizations/:id/members",
  verbs: {
    update: { route: "PUT /api/v1/organizations/:id/members/:userId", refusals: lastOwner },
    remove: { route: "DELETE /api/v1/organizations/:id/members/:userId", refusals: lastOwner },
    leave: { route: "POST /api/v1/organizations/:id/leave", refusals: lastOwner },
  },
});
