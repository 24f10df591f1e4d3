import type { CloudAccess, CredentialField } from "../driver.ts";
import { CloudError } from "../driver.ts";
import { callJson, type JsonApi } from "../json-api.ts";
import { Account } from "./api.ts";
import { label } from "./errors.ts";

export const credentialFields: readonly CredentialField[] = [
  {
    name: "token",
    label: "API token",
    isPublic: false,
    pattern: /^[A-Za-z0-9_]{32,128}$/,
    help: "Made under API, Tokens, with full access; it begins with dop_v1_.",
  },
];

export async function checkCredentials(api: JsonApi, access: CloudAccess): Promise<{ account: string }> {
  const { account } = await callJson(api, access, { path: "/account" }, Account);
  if (account.status === "locked") {
    throw new CloudError("refused", `${label} has locked the account.`, { field: "credentials", permanent: true });
  }
  return { account: account.team?.name ?? account.email };
}
