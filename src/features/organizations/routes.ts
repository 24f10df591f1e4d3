import { Page } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import {
  createOrganization,
  leaveOrganization,
  listOrganizations,
  removeMember,
  showMembers,
  showOrganization,
  switchOrganization,
  updateMember,
  updateOrganization,
} from "./actions.ts";
import { acceptInvitation, invite, revokeInvitation, showInvitations } from "./invitations.ts";
import {
  Acceptance,
  Accepted,
  Done,
  Invitation,
  InvitationCreated,
  InvitationParams,
  InvitationRequest,
  ListQuery,
  Member,
  MemberChanged,
  MemberParams,
  MemberUpdate,
  Organization,
  OrganizationChanged,
  OrganizationParams,
  OrganizationReply,
  OrganizationRequest,
} from "./schema.ts";

const lastOwner = "It would leave the organization without an Owner who reaches everything.";
const ownersOnly = "An Admin decides about Owners, or the caller's membership is restricted.";

export const organizationRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/organizations",
    summary: "List the account's organizations",
    permission: "organization:read",
    withoutOrganization: true,
    query: ListQuery,
    reply: Page(Organization),
    handle: (ctx, { query }) => listOrganizations(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/organizations",
    summary: "Create an organization",
    description:
      "The caller becomes its Owner. A token needs `organization:manage`; the role elsewhere does not count.",
    permission: "any",
    body: OrganizationRequest,
    status: 201,
    reply: OrganizationChanged,
    examples: { body: { name: "Acme" } },
    handle: async (ctx, { body }) =>
      success({ message: "The organization was created.", data: await createOrganization(ctx, body.name) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/organizations/:id",
    summary: "Read an organization",
    permission: "organization:read",
    organizationParam: "id",
    params: OrganizationParams,
    reply: OrganizationReply,
    handle: async (ctx) => success({ data: await showOrganization(ctx) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/organizations/:id",
    summary: "Rename an organization",
    permission: "organization:manage",
    organizationParam: "id",
    params: OrganizationParams,
    body: OrganizationRequest,
    reply: OrganizationChanged,
    examples: { body: { name: "Acme" } },
    handle: async (ctx, { body }) =>
      success({ message: "The organization was renamed.", data: await updateOrganization(ctx, body.name) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/organizations/:id/switch",
    summary: "Make an organization the account's current one",
    description: "Requests without X-Organization run in it from then on.",
    permission: "account",
    organizationParam: "id",
    params: OrganizationParams,
    reply: OrganizationChanged,
    handle: async (ctx) =>
      success({ message: "You are in this organization now.", data: await switchOrganization(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/organizations/:id/leave",
    summary: "Leave an organization",
    description: "The account's tokens for this organization end with it.",
    permission: "account",
    organizationParam: "id",
    params: OrganizationParams,
    reply: Done,
    errors: { refused: lastOwner },
    handle: async (ctx) => {
      await leaveOrganization(ctx);
      return success({ message: "You left the organization." });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/organizations/:id/members",
    summary: "List members",
    permission: "organization:read",
    organizationParam: "id",
    params: OrganizationParams,
    query: ListQuery,
    reply: Page(Member),
    handle: (ctx, { query }) => showMembers(ctx, query),
  }),
  route({
    method: "PUT",
    path: "/api/v1/organizations/:id/members/:userId",
    summary: "Change a member's role or restriction",
    description:
      "Both apply from the member's next request on. A restricted membership reaches the listed servers with all of their projects, and the listed projects; `restriction: null` lifts it.",
    permission: "organization:manage",
    organizationParam: "id",
    params: MemberParams,
    body: MemberUpdate,
    reply: MemberChanged,
    errors: { refused: lastOwner, forbidden: ownersOnly },
    examples: { body: { role: "Member", restriction: { server_ids: [1], project_ids: [7] } } },
    handle: async (ctx, { params, body }) =>
      success({ message: "The member was changed.", data: await updateMember(ctx, params.userId, body) }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/organizations/:id/members/:userId",
    summary: "Remove a member",
    description: "The member's tokens for this organization end with it.",
    permission: "organization:manage",
    organizationParam: "id",
    params: MemberParams,
    reply: Done,
    errors: { refused: lastOwner, forbidden: ownersOnly },
    handle: async (ctx, { params }) => {
      await removeMember(ctx, params.userId);
      return success({ message: "The member was removed." });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/organizations/:id/invitations",
    summary: "List invitations",
    permission: "organization:manage",
    organizationParam: "id",
    params: OrganizationParams,
    query: ListQuery,
    reply: Page(Invitation),
    handle: (ctx, { query }) => showInvitations(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/organizations/:id/invitations",
    summary: "Invite a person by email",
    description:
      "The token is in this answer, and is mailed where the installation has a mail server; it is shown nowhere else. An open invitation of the same email is replaced, and its token ends. Within 24 hours there are at most 200 invitations of an organization, 100 of an inviter and 5 to an address.",
    permission: "organization:manage",
    showsSecret: true,
    organizationParam: "id",
    params: OrganizationParams,
    body: InvitationRequest,
    status: 201,
    reply: InvitationCreated,
    errors: {
      forbidden: ownersOnly,
      rate_limited: "There were too many invitations within 24 hours, or too many requests in this minute.",
    },
    examples: { body: { email: "bob@example.com", role: "Member" } },
    handle: async (ctx, { body }) =>
      success({
        message: "The invitation was created. Its token is shown only now.",
        data: await invite(ctx, body),
      }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/organizations/:id/invitations/:invitationId",
    summary: "Revoke an invitation",
    permission: "organization:manage",
    organizationParam: "id",
    params: InvitationParams,
    reply: Done,
    errors: { forbidden: ownersOnly },
    handle: async (ctx, { params }) => {
      await revokeInvitation(ctx, params.invitationId);
      return success({ message: "The invitation was revoked." });
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/invitations/accept",
    summary: "Accept an invitation",
    description:
      "With a session of the account that the email has, or a token of it with `*` that is bound to no organization. Where there is no account, `name` and `password` make it.",
    permission: "public",
    body: Acceptance,
    reply: Accepted,
    errors: {
      unauthenticated: "The email has an account: its token or session is needed.",
      not_found: "The invitation was used or revoked, or has expired.",
      forbidden: "The invitation is for another email address, or the token does not stand for the whole account.",
    },
    examples: { body: { token: "lsi_…", name: "Bob", password: "correct horse battery" } },
    handle: async (ctx, { body }) =>
      success({ message: "You are a member now.", data: await acceptInvitation(ctx, body) }),
  }),
];
