import { type Area, endpoint, rule, testsIn } from "./rule.ts";

const accounts = testsIn("src/features/accounts/tests/accounts.test.ts");
const preferences = testsIn("src/features/preferences/tests/preferences.test.ts");

export const me: Area = {
  title: "Me: account, tokens, preferences",
  rules: [
    endpoint(
      "GET /api/v1/me answers the account and its organizations with role and plan",
      accounts("shows the account and its organizations"),
    ),
    endpoint(
      "GET /api/v1/me/tokens lists the account's tokens",
      accounts("are shown once, and stored as a digest and 8 characters"),
    ),
    endpoint(
      "POST /api/v1/me/tokens makes one; the value is shown once, as lsh_ and 40 characters",
      accounts("are shown once, and stored as a digest and 8 characters"),
      accounts("cannot make or revoke tokens that hold more than themselves"),
    ),
    endpoint(
      "DELETE /api/v1/me/tokens/{id} revokes one, from the next request of every process on",
      accounts("are revoked from the next request on, in every process"),
      accounts("of others do not exist"),
    ),
    rule(
      "A token can expire, and tells when it was last used",
      accounts("expire"),
      accounts("remember when they were last used, once a minute at the most"),
    ),
    endpoint(
      "GET /api/v1/me/preferences answers the object by namespace",
      preferences("are empty at first, and each account has its own"),
    ),
    endpoint(
      "PATCH /api/v1/me/preferences merges deeply and answers the whole",
      preferences("are merged to any depth: what is not sent stays, lists are replaced"),
    ),
    rule(
      "Preferences: unsent keys are kept; a key set to null is deleted",
      preferences("set to null are deleted, a whole namespace too"),
    ),
    rule(
      "Preferences: only console and mobile; another namespace answers 422",
      preferences("outside of console and mobile are refused, and nothing is stored"),
    ),
    rule(
      "Preferences: over 16 KB answers 422, measured on the stored JSON",
      preferences("may take 16 KB in all and not a byte more, however small the patch"),
    ),
    rule(
      "Preferences: concurrent writes end in one valid whole",
      preferences("patched 50 times at once, by two processes, all end up valid and complete"),
    ),
    rule(
      "/me and preferences need any valid token",
      preferences("of a user without the role for anything else can be written"),
    ),
  ],
};
