import { type Area, endpoint, everyRoute, rule, testsIn } from "./rule.ts";

const accounts = testsIn("src/features/accounts/tests/accounts.test.ts");
const members = testsIn("src/features/organizations/tests/members.test.ts");
const invitations = testsIn("src/features/organizations/tests/invitations.test.ts");
const invitationMails = testsIn("src/features/organizations/tests/invitation-mails.test.ts");
const auditLog = testsIn("src/features/audit-log/tests/audit-log.test.ts");
const audit = testsIn("src/http/tests/audit.test.ts");
const signIn = testsIn("src/features/sign-in/tests/sign-in.test.ts");

export const accountRules: Area = {
  title: "Accounts, organizations, access",
  rules: [
    rule(
      "Each request runs in one organization: X-Organization's, the token's, or the current one",
      accounts("selects the organization, with the role in it, for that request only"),
      accounts("absent, a token made for an organization works in it"),
    ),
    rule(
      "The role in the named organization applies",
      accounts("selects the organization, with the role in it, for that request only"),
      members("in two organizations has its own role in each"),
    ),
    rule(
      "Token permissions only narrow: token, role and reach are intersected",
      accounts("a token narrows its holder, and never widens"),
      accounts("can() asks the intersection"),
    ),
    rule(
      "Role sets of Owner, Admin, Member and Viewer",
      accounts("… … …"),
      accounts("role sets hold only permissions that there are"),
    ),
    rule(
      "A restricted membership reaches the listed servers with their projects, and the listed projects",
      accounts("of listed servers is these with all of their projects"),
      accounts("of both is their sum"),
    ),
    rule(
      "The server of a listed project is visible by name and id, and nothing else on it",
      accounts("of listed projects is these; their server is visible, not reached"),
    ),
    rule(
      "What is out of reach does not exist: absent in lists and counts, 404 by id",
      everyRoute("hides from a restricted membership that does not reach it"),
      accounts("never leaves the organization, whatever ids the membership lists"),
    ),
    endpoint(
      "GET /api/v1/organizations lists the caller's organizations with the role in each",
      members("is listed to its members with their role, and to nobody else"),
    ),
    endpoint(
      "POST /api/v1/organizations makes one, on the plan starter",
      members("is made by anybody, who owns it, on the plan starter"),
    ),
    endpoint(
      "GET /api/v1/organizations/{id} shows one to its members",
      members("is the one in the path, with the role there, whatever the current one is"),
    ),
    endpoint("PUT /api/v1/organizations/{id} renames it", members("is renamed by those who manage it")),
    endpoint(
      "GET /api/v1/organizations/{id}/members lists members, roles and restrictions",
      members("see each other, and what a role change did, on the next request in every process"),
      members("shows of others' restrictions only what is in the reader's own reach"),
    ),
    endpoint(
      "PUT /api/v1/organizations/{id}/members/{userId} changes role and restriction",
      members("are changed by those who manage the organization, and by nobody else"),
      members("takes only ids of the organization, and says which are not"),
    ),
    endpoint(
      "DELETE /api/v1/organizations/{id}/members/{userId} removes a member",
      members("are removed at once, with their tokens for the organization"),
      members("cannot leave, be removed, step down or be restricted"),
    ),
    endpoint(
      "POST /api/v1/organizations/{id}/leave ends the own membership",
      members("leave by themselves"),
      members("cannot leave, be removed, step down or be restricted"),
    ),
    endpoint(
      "POST /api/v1/organizations/{id}/switch makes it the one of requests without a header",
      members("becomes the current one when the account switches, in every process"),
    ),
    endpoint(
      "POST /api/v1/organizations/{id}/invitations invites by email",
      invitations("shows its token once, and is stored as a digest"),
      invitations("is refused with every bad field at once"),
      invitationMails("is mailed by a worker, with the token that the answer shows as well"),
      invitationMails("is handed over by whoever made it, and its token stored nowhere"),
    ),
    endpoint(
      "GET /api/v1/organizations/{id}/invitations lists open invitations",
      invitations("replaces the open one of the same email, whose token ends"),
    ),
    endpoint(
      "DELETE /api/v1/organizations/{id}/invitations/{invitationId} revokes one",
      invitations("that was revoked, or has expired, cannot be accepted in any process"),
    ),
    endpoint(
      "POST /api/v1/invitations/accept accepts one",
      invitations("works once"),
      invitations("brings the restriction along"),
    ),
    endpoint(
      "GET /api/v1/organizations/{id}/audit-log tells who, what, on what, from where, when",
      auditLog("shows the newest change of the organization first, and none of another"),
      auditLog("is filtered by action, user, subject and time"),
      auditLog("comes in pages"),
      audit("that is not a GET leaves an entry"),
    ),
    rule(
      "A new installation's first organization is business",
      accounts("gives the first organization of an installation the plan business, and later ones starter"),
    ),
    rule(
      "Console sign-in with password, second factor and passkeys",
      signIn("gives a cookie that no script reads and no other site makes use of"),
      signIn("is asked for before there is a session"),
      signIn("signs in whoever registered it, and is known by its counter afterwards"),
    ),
  ],
};
