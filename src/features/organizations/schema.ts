import { type Static, Type } from "typebox";
import { Sort, Text } from "../../http/lists.ts";
import { PageQuery } from "../../http/pagination.ts";
import {
  Changed,
  described,
  Id,
  Joined,
  Name,
  Nullable,
  named,
  OneOf,
  Reply,
  Success,
  Timestamp,
} from "../../http/schemas.ts";
import { EmailAddress, NewPassword, plans, roles, Token } from "../accounts/schema.ts";

export const invitationDays = { default: 7, max: 30 };

/**
 * Limits of invitations in 24 hours: from an organization, from an inviter in all organizations, and to an address. Each may be
 * an unsolicited mail.
 */
export const invitationsOfDay = { organization: 200, inviter: 100, email: 5 };

/** The queue of jobs that mail one invitation each. */
export const invitationMailQueue = "mail-invitations";

export const OrganizationParams = Type.Object({ id: Id });
export const MemberParams = Type.Object({ id: Id, userId: described(Id, "The `user_id` of a member") });
export const InvitationParams = Type.Object({ id: Id, invitationId: described(Id, "The `id` of an open invitation") });

// Organizations --------------------------------------------------------------------------------------------------------

export const Organization = named(
  "Organization",
  Type.Object({
    id: Id,
    name: Type.String(),
    plan: OneOf(plans, { description: "Sets the limits; only an operator changes it" }),
    role: OneOf(roles, { description: "The caller's" }),
    is_current: Type.Boolean({ description: "Where requests of the account run that name no organization" }),
    members_count: Type.Integer({ description: "With the caller" }),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  "An organization of the account",
);

export const OrganizationRequest = named(
  "OrganizationRequest",
  Type.Object({ name: described(Name, "For people; need not be unique") }),
);
export const OrganizationUpdate = named("OrganizationUpdate", OrganizationRequest);
export const OrganizationReply = Reply(Organization);
export const OrganizationChanged = Changed(Organization);

// Members --------------------------------------------------------------------------------------------------------------

const Ids = (description: string) => Type.Array(Id, { maxItems: 1_000, description });
const serverIds = Ids("Servers with all of their projects; at most 1,000");
const projectIds = Ids("Projects; at most 1,000");

const Restriction = named(
  "Restriction",
  Type.Object(
    { server_ids: serverIds, project_ids: projectIds },
    { description: "The membership reaches these servers with all of their projects, and these projects" },
  ),
);

export const Member = named(
  "Member",
  Type.Object({
    user_id: described(Id, "The account's id"),
    name: Type.String(),
    email: Type.String({ description: "What the account signs in with" }),
    role: OneOf(roles, { description: "What the member may do here" }),
    restriction: Nullable(Restriction),
    joined_at: Timestamp,
    updated_at: Timestamp,
  }),
  "An account that belongs to the organization",
);

const RestrictionRequest = Nullable(
  named(
    "RestrictionRequest",
    Type.Object(
      { server_ids: Type.Optional(serverIds), project_ids: Type.Optional(projectIds) },
      { description: "Servers and projects that the membership reaches; null: everything in the organization" },
    ),
  ),
);

export const MemberUpdate = named(
  "MemberUpdate",
  Type.Object({
    role: Type.Optional(OneOf(roles, { description: "What the member may do; only an Owner appoints Owners" })),
    restriction: Type.Optional(RestrictionRequest),
  }),
);

export const MemberReply = Reply(Member);
export const MemberChanged = Changed(Member);

// Invitations ----------------------------------------------------------------------------------------------------------

export const Invitation = named(
  "Invitation",
  Type.Object({
    id: Id,
    email: Type.String({ description: "Who is invited" }),
    role: OneOf(roles, { description: "Of the membership that it makes" }),
    restriction: Nullable(Restriction),
    status: OneOf(["pending", "accepted", "expired"], { description: "pending: it can be accepted" }),
    invited_by: Nullable(Type.Integer({ description: "A user's id" })),
    expires_at: Timestamp,
    accepted_at: Nullable(Timestamp),
    created_at: Timestamp,
  }),
  "An invitation to an organization",
);

const NewInvitation = named(
  "NewInvitation",
  Joined(
    Invitation,
    Type.Object({
      token: Type.String({ description: "Anyone who has it can accept; it is shown here and never again" }),
    }),
  ),
  "An invitation with the token that accepts it",
);

export const InvitationCreated = named("InvitationCreated", Success({ message: Type.String(), data: NewInvitation }));

export const InvitationTokenParams = Type.Object({
  token: Type.String({ pattern: "^lsi_[0-9A-Za-z]{40}$", description: "From the mailed link" }),
});

export const InvitationPreview = named(
  "InvitationPreview",
  Type.Object({
    organization: Type.String({ description: "Its name" }),
    inviter: Nullable(
      Type.String({ description: "The name of the person who invites; null when the account is gone" }),
    ),
    email: Type.String({ description: "Who is invited" }),
    role: OneOf(roles, { description: "Of the membership" }),
    is_restricted: Type.Boolean({ description: "Whether the membership reaches only chosen servers and projects" }),
    servers_count: Type.Integer({ description: "How many the membership would reach" }),
    projects_count: Type.Integer({ description: "How many the membership would reach" }),
    has_account: Type.Boolean({ description: "Whether the address has an account here" }),
    expires_at: Timestamp,
  }),
  "What an invitation is for",
);

export const InvitationRequest = named(
  "InvitationRequest",
  Type.Object({
    email: described(EmailAddress, "Who is invited; the address of no member"),
    role: OneOf(roles, { description: "Of the membership; only an Owner invites Owners" }),
    restriction: Type.Optional(RestrictionRequest),
    expires_in_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: invitationDays.max, description: `Default: ${invitationDays.default}` }),
    ),
  }),
);

export const Acceptance = named(
  "InvitationAcceptance",
  Type.Object({
    token: Type.String({ minLength: 1, maxLength: 200, description: "From the mail, or the answer to the invitation" }),
    name: Type.Optional(Type.String({ ...Name, description: "Of the new account, when the email has none yet" })),
    password: Type.Optional(
      Type.String({ ...NewPassword, description: "Of the new account, to sign in to the console" }),
    ),
  }),
);

const NewMembership = named(
  "NewMembership",
  Type.Object({
    organization_id: described(Id, "The organization that was joined"),
    user_id: described(Id, "The account that joined"),
    role: OneOf(roles, { description: "What it may do there" }),
  }),
  "The membership that an invitation made",
);

export const Accepted = named("InvitationAccepted", Success({ message: Type.String(), data: NewMembership }));

export const ListQuery = PageQuery;

// Tokens ---------------------------------------------------------------------------------------------------------------

export const TokenParams = Type.Object({ id: Id, tokenId: described(Id, "The token") });

export const TokenQuery = Type.Object({
  ...PageQuery.properties,
  q: Text("name, or its account's name or email,"),
  user_id: Type.Optional(Type.Integer({ ...Id, description: "Those of this account" })),
  sort: Sort(["name", "last_used_at", "created_at"], "name"),
});

export const MemberToken = named(
  "MemberToken",
  Joined(
    Token,
    Type.Object({
      user: Type.Object(
        { id: Id, name: Type.String(), email: Type.String({ description: "What it signs in with" }) },
        { description: "The account that requests with it act as" },
      ),
    }),
  ),
  "A token for the organization, with the account that it stands for",
);

export type RestrictionOf = Static<typeof RestrictionRequest>;
