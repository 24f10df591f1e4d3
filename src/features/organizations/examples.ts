import type { Static } from "typebox";
import type {
  Acceptance,
  Accepted,
  Invitation,
  InvitationCreated,
  InvitationPreview,
  InvitationRequest,
  Member,
  MemberToken,
  MemberUpdate,
  Organization,
  OrganizationRequest,
} from "./schema.ts";

// Examples in the documentation of the API.

export const organizationRequest: Static<typeof OrganizationRequest> = { name: "Acme" };

export const organization: Static<typeof Organization> = {
  id: 1,
  name: "Acme",
  plan: "business",
  role: "Owner",
  is_current: true,
  members_count: 2,
  created_at: "2026-03-01T10:20:30.123456Z",
  updated_at: "2026-03-01T10:20:30.123456Z",
};

export const memberUpdate: Static<typeof MemberUpdate> = {
  role: "Member",
  restriction: { server_ids: [1], project_ids: [7] },
};

export const member: Static<typeof Member> = {
  user_id: 2,
  name: "Bob",
  email: "bob@example.com",
  role: "Member",
  restriction: { server_ids: [1], project_ids: [7] },
  joined_at: "2026-03-02T08:00:00.000000Z",
  updated_at: "2026-03-02T08:00:00.000000Z",
};

export const memberToken: Static<typeof MemberToken> = {
  id: 4,
  name: "Deploy from CI",
  prefix: "lsh_0123",
  permissions: ["deployment:create", "project:read"],
  organization_id: 1,
  is_bound: true,
  expires_at: null,
  last_used_at: null,
  created_at: "2026-03-01T10:20:30.123456Z",
  user: { id: 2, name: "Bob", email: "bob@example.com" },
};

export const invitationRequest: Static<typeof InvitationRequest> = { email: "bob@example.com", role: "Member" };

export const invitation: Static<typeof Invitation> = {
  id: 3,
  email: "bob@example.com",
  role: "Member",
  restriction: null,
  status: "pending",
  invited_by: 1,
  expires_at: "2026-03-08T10:20:30.123456Z",
  accepted_at: null,
  created_at: "2026-03-01T10:20:30.123456Z",
};

const token = "lsi_0123456789abcdefghijABCDEFGHIJ0123456789";

export const newInvitation: Static<typeof InvitationCreated>["data"] = { ...invitation, token };

export const preview: Static<typeof InvitationPreview> = {
  organization: "Acme",
  inviter: "Alice",
  email: "bob@example.com",
  role: "Member",
  is_restricted: true,
  servers_count: 1,
  projects_count: 3,
  has_account: false,
  expires_at: "2026-03-08T10:20:30.123456Z",
};

export const acceptance: Static<typeof Acceptance> = { token, name: "Bob", password: "correct horse battery" };

export const accepted: Static<typeof Accepted>["data"] = { organization_id: 1, user_id: 2, role: "Member" };
