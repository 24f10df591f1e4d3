import { Page, pageOf, paginated } from "../../http/pagination.ts";
import { Answer, type Route, route } from "../../http/route.ts";
import { Acknowledgement, Reply, success } from "../../http/schemas.ts";
import {
  createOrganization,
  leaveOrganization,
  listOrganizations,
  removeMember,
  showMember,
  showMembers,
  showOrganization,
  switchOrganization,
  updateMember,
  updateOrganization,
} from "./actions.ts";
import {
  acceptance,
  accepted,
  invitation,
  invitationRequest,
  member,
  memberToken,
  memberUpdate,
  newInvitation,
  organization,
  organizationRequest,
  preview,
} from "./examples.ts";
import { acceptInvitation, invite, previewInvitation, revokeInvitation, showInvitations } from "./invitations.ts";
import {
  Acceptance,
  Accepted,
  Invitation,
  InvitationCreated,
  InvitationParams,
  InvitationPreview,
  InvitationRequest,
  InvitationTokenParams,
  ListQuery,
  Member,
  MemberChanged,
  MemberParams,
  MemberReply,
  MemberToken,
  MemberUpdate,
  Organization,
  OrganizationChanged,
  OrganizationParams,
  OrganizationReply,
  OrganizationRequest,
  OrganizationUpdate,
  TokenParams,
  TokenQuery,
} from "./schema.ts";
import { revokeTokenOf, showTokens } from "./tokens.ts";

const lastOwner = "It would leave the organization without an Owner who reaches everything.";
const tokensForOwners = "The caller is no Owner, or the membership is restricted.";
const ownersOnly = "An Admin decides about Owners, or the caller's membership is restricted.";

export const organizationRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/organizations",
    summary: "List the account's organizations",
    description:
      "Those that the account is a member of, by name, with its role in each. A bound token sees only its own.",
    permission: "organization:read",
    withoutOrganization: true,
    query: ListQuery,
    reply: Page(Organization),
    examples: { reply: paginated(pageOf({}, 25), 1, [organization]) },
    handle: (ctx, { query }) => listOrganizations(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/organizations",
    summary: "Create an organization",
    description:
      "The caller becomes its Owner. The organization is on the plan of `LONGSHORE_DEFAULT_PLAN` (`business`), which " +
      "only an operator changes; the first organization of an installation is on `business`. A token needs " +
      "`organization:manage`; the role elsewhere does not count. A token that is bound to an organization cannot make " +
      "another one (403).",
    permission: "any",
    withoutOrganization: true,
    body: OrganizationRequest,
    status: 201,
    reply: OrganizationChanged,
    examples: {
      body: organizationRequest,
      reply: success({ message: "The organization was created.", data: organization }),
    },
    handle: async (ctx, { body }) =>
      success({ message: "The organization was created.", data: await createOrganization(ctx, body.name) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/organizations/:id",
    summary: "Read an organization",
    description:
      "With the number of its members, and the caller's role in it. An organization that the account does not belong " +
      "to gets 404.",
    permission: "organization:read",
    organizationParam: "id",
    params: OrganizationParams,
    reply: OrganizationReply,
    examples: { reply: success({ data: organization }) },
    handle: async (ctx) => success({ data: await showOrganization(ctx) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/organizations/:id",
    record: "/api/v1/organizations/:id",
    summary: "Rename an organization",
    description:
      "The name is the only field that can be changed; names need not be unique. An operator changes the plan.",
    permission: "organization:manage",
    organizationParam: "id",
    params: OrganizationParams,
    body: OrganizationUpdate,
    reply: OrganizationChanged,
    examples: {
      body: organizationRequest,
      reply: success({ message: "The organization was renamed.", data: organization }),
    },
    handle: async (ctx, { body }) =>
      success({ message: "The organization was renamed.", data: await updateOrganization(ctx, body.name) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/organizations/:id/switch",
    summary: "Make an organization the account's current one",
    description:
      "Requests that name no organization run in it from then on: those without `X-Organization`, with a session or a " +
      "token that has no organization of its own. It concerns all sessions and tokens of the account.",
    permission: "account",
    organizationParam: "id",
    params: OrganizationParams,
    reply: OrganizationChanged,
    examples: { reply: success({ message: "You are in this organization now.", data: organization }) },
    handle: async (ctx) =>
      success({ message: "You are in this organization now.", data: await switchOrganization(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/organizations/:id/leave",
    summary: "Leave an organization",
    description:
      "The account's tokens for this organization are revoked, its pins are removed, and its SSH keys are removed from " +
      "the organization's servers. The last Owner who reaches everything cannot leave: make another member Owner first.",
    permission: "account",
    organizationParam: "id",
    params: OrganizationParams,
    reply: Acknowledgement,
    errors: { refused: lastOwner },
    examples: { reply: success({ message: "You left the organization." }) },
    handle: async (ctx) => {
      await leaveOrganization(ctx);
      return success({ message: "You left the organization." });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/organizations/:id/members",
    summary: "List members",
    description:
      "By name. `restriction` is null for a member who reaches everything; of another one it has only the servers and " +
      "projects that the caller reaches too.",
    permission: "organization:read",
    organizationParam: "id",
    params: OrganizationParams,
    query: ListQuery,
    reply: Page(Member),
    examples: { reply: paginated(pageOf({}, 25), 1, [member]) },
    handle: (ctx, { query }) => showMembers(ctx, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/organizations/:id/members/:userId",
    summary: "Show a member",
    description: "As in the list of members.",
    permission: "organization:read",
    organizationParam: "id",
    params: MemberParams,
    reply: MemberReply,
    examples: { reply: success({ data: member }) },
    handle: async (ctx, { params }) => success({ data: await showMember(ctx, params.userId) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/organizations/:id/members/:userId",
    record: "/api/v1/organizations/:id/members/:userId",
    summary: "Change a member's role or restriction",
    description:
      "Omitted fields keep their values. Both apply from the member's next request on.\n\n" +
      "* A restricted membership reaches the listed projects, and the listed servers with all projects that they " +
      "serve, also as a further server behind a load balancer, and everything of theirs. Of the other servers of these " +
      "projects it sees id and name. The destination of a move counts when the move has ended.\n" +
      "* It manages no members and reads no audit log. `restriction: null` lifts it.\n" +
      "* Only an Owner can appoint or change Owners, and a restricted membership can change no member (403). An " +
      "organization always has an Owner who reaches everything.",
    permission: "organization:manage",
    organizationParam: "id",
    params: MemberParams,
    body: MemberUpdate,
    reply: MemberChanged,
    errors: { refused: lastOwner, forbidden: ownersOnly },
    examples: { body: memberUpdate, reply: success({ message: "The member was changed.", data: member }) },
    handle: async (ctx, { params, body }) =>
      success({ message: "The member was changed.", data: await updateMember(ctx, params.userId, body) }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/organizations/:id/members/:userId",
    summary: "Remove a member",
    description:
      "The member's tokens for this organization are revoked, the pins are removed, and the member's SSH keys are " +
      "removed from the organization's servers. Only an Owner can remove an Owner, and a restricted membership can " +
      "remove no member (403).",
    permission: "organization:manage",
    organizationParam: "id",
    params: MemberParams,
    reply: Acknowledgement,
    errors: { refused: lastOwner, forbidden: ownersOnly },
    examples: { reply: success({ message: "The member was removed." }) },
    handle: async (ctx, { params }) => {
      await removeMember(ctx, params.userId);
      return success({ message: "The member was removed." });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/organizations/:id/tokens",
    summary: "List the organization's API tokens",
    description:
      "The tokens of all members whose `organization_id` is this one, without their values. Tokens of no organization " +
      "belong to their accounts, and are not listed. For Owners whose membership is not restricted; others get 403.",
    permission: "organization:manage",
    organizationParam: "id",
    params: OrganizationParams,
    query: TokenQuery,
    reply: Page(MemberToken),
    errors: { forbidden: tokensForOwners },
    examples: { reply: paginated(pageOf({}, 25), 1, [memberToken]) },
    handle: (ctx, { query }) => showTokens(ctx, query),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/organizations/:id/tokens/:tokenId",
    summary: "Revoke an API token of a member",
    description:
      "It is refused from the next request on, in every process, and its event streams end. One of no organization, or of " +
      "another, gets 404: remove the member instead. For Owners whose membership is not restricted; others get 403.",
    permission: "organization:manage",
    organizationParam: "id",
    params: TokenParams,
    reply: Acknowledgement,
    errors: { forbidden: tokensForOwners },
    examples: { reply: success({ message: "The token was revoked." }) },
    handle: async (ctx, { params }) => {
      await revokeTokenOf(ctx, params.tokenId);
      return success({ message: "The token was revoked." });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/organizations/:id/invitations",
    summary: "List invitations",
    description:
      "The newest first, without their tokens: open, accepted and expired ones. Replaced and revoked ones are not " +
      "listed.",
    permission: "organization:manage",
    organizationParam: "id",
    params: OrganizationParams,
    query: ListQuery,
    reply: Page(Invitation),
    examples: { reply: paginated(pageOf({}, 25), 1, [invitation]) },
    handle: (ctx, { query }) => showInvitations(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/organizations/:id/invitations",
    summary: "Invite a person by email",
    description:
      "The token is in this answer, and is mailed where the installation has a mail server; it is shown nowhere else. " +
      "The answer does not wait for the mail.\n\n" +
      "* An invitation can be used once, within `expires_in_days` (7, at most 30). Inviting the same address again " +
      "replaces the open invitation, whose token ends.\n" +
      "* Within 24 hours there are at most 200 invitations of an organization, 100 of an inviter and 5 to an address " +
      "from all organizations, those that were replaced or revoked included; the next one gets 429.\n" +
      "* Only an Owner can invite an Owner, or replace an invitation of one. A restricted membership cannot invite " +
      "(403). The address of a member gets 422.",
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
    examples: {
      body: invitationRequest,
      reply: success({ message: "The invitation was created. Its token is shown only now.", data: newInvitation }),
    },
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
    description:
      "Its token can no longer be used. One that was accepted gets 404: remove the member. Only an Owner can revoke an " +
      "invitation of an Owner, and a restricted membership none (403).",
    permission: "organization:manage",
    organizationParam: "id",
    params: InvitationParams,
    reply: Acknowledgement,
    errors: { forbidden: ownersOnly },
    examples: { reply: success({ message: "The invitation was revoked." }) },
    handle: async (ctx, { params }) => {
      await revokeInvitation(ctx, params.invitationId);
      return success({ message: "The invitation was revoked." });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/invitations/:token",
    summary: "Show what an invitation is for",
    description:
      "For the page that the mailed link opens, before it asks for anything. `servers_count` and `projects_count` are what the " +
      "membership would reach now. With `has_account`, the address has to sign in to accept. One that was used, revoked or " +
      "replaced, or has expired, gets 404 like one that never was.",
    permission: "public",
    params: InvitationTokenParams,
    reply: Reply(InvitationPreview),
    errors: { not_found: "The invitation was used or revoked, or has expired." },
    examples: { reply: success({ data: preview }) },
    handle: async (ctx, { params }) => success({ data: await previewInvitation(ctx, params.token) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/invitations/accept",
    summary: "Accept an invitation",
    description:
      "An address that has an account accepts with a session of it, or with a token of it that has `*` and is bound to " +
      "no organization. Where there is no account, `name` and `password` (at least 8 characters) make one, and are " +
      "required, and the answer sets the cookie of a session of it; otherwise they are ignored. A member of the organization " +
      "gets 422.",
    permission: "public",
    body: Acceptance,
    reply: Accepted,
    errors: {
      unauthenticated: "The email has an account: its token or session is needed.",
      not_found: "The invitation was used or revoked, or has expired.",
      forbidden: "The invitation is for another email address, or the token does not stand for the whole account.",
    },
    examples: { body: acceptance, reply: success({ message: "You are a member now.", data: accepted }) },
    handle: async (ctx, { body }) => {
      const { membership, cookie } = await acceptInvitation(ctx, body);
      return new Answer(200, success({ message: "You are a member now.", data: membership }), cookie);
    },
  }),
];
