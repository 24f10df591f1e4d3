import { capabilities } from "../../http/capabilities.ts";
import type { MemberRow, OrganizationRow } from "./queries.ts";

const lastOwner = {
  last_owner: {
    message: "This is the last Owner who reaches everything in the organization. Make another member Owner first.",
  },
} as const;

export const memberCapabilities = capabilities<MemberRow>()({
  noun: "member",
  record: "GET /api/v1/organizations/:id/members",
  path: "/api/v1/organizations/:id/members/:userId",
  verbs: {
    update: { route: "PUT /api/v1/organizations/:id/members/:userId", refusals: lastOwner },
    remove: { route: "DELETE /api/v1/organizations/:id/members/:userId", refusals: lastOwner },
  },
});

export const organizationCapabilities = capabilities<OrganizationRow>()({
  noun: "organization",
  record: "GET /api/v1/organizations/:id",
  verbs: {
    update: { route: "PUT /api/v1/organizations/:id", refusals: {} },
    leave: { route: "POST /api/v1/organizations/:id/leave", refusals: lastOwner },
  },
});
