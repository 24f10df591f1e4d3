import { Type } from "typebox";
import type { CloudAccess, CredentialField } from "../driver.ts";
import { callJson, type JsonApi, sendJson } from "../json-api.ts";
import { codeOf } from "../refusals.ts";

export const credentialFields: readonly CredentialField[] = [
  {
    name: "token",
    label: "API token",
    isPublic: false,
    pattern: /^[A-Za-z0-9]{64}$/,
    help: "Made in the project under Security, API tokens, with the permission Read & Write: 64 letters and digits.",
  },
];

/** A token belongs to one project, which has no name in the API. Proves that the token may write, without changing anything. */
export async function checkCredentials(api: JsonApi, access: CloudAccess): Promise<{ account: string }> {
  await callJson(
    api,
    access,
    { path: "/servers", query: { per_page: 1 } },
    Type.Object({ servers: Type.Array(Type.Unknown()) }),
  );
  // The API does not show a token's permissions. A firewall without a name is never created: a token that may write gets
  // `invalid_input`, one that may only read is refused before that.
  try {
    await sendJson(api, access, { method: "POST", path: "/firewalls", body: {} });
  } catch (error) {
    if (codeOf(error) !== "invalid_input") throw error;
  }
  return { account: "Hetzner Cloud project" };
}
