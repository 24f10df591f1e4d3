import { refuse } from "../check.ts";
import { type CloudAccess, CloudError, type CredentialField } from "../driver.ts";
import { callJson, type JsonApi, type JsonCall, sendJson } from "../json-api.ts";
import { Account } from "./api.ts";
import { label } from "./errors.ts";

export const credentialFields: readonly CredentialField[] = [
  {
    name: "token",
    label: "API token",
    isPublic: false,
    pattern: /^[A-Za-z0-9_]{32,128}$/,
    help: "Made under API, Tokens, with the scopes that the documentation lists, or full access; it begins with dop_v1_.",
  },
];

export async function checkCredentials(api: JsonApi, access: CloudAccess): Promise<{ account: string }> {
  const { account } = await callJson(api, access, { path: "/account" }, Account);
  if (account.status === "locked") throw refuse("credentials", `${label} has locked the account.`);
  const lacks = await Promise.all(Object.values(scopes).map((call) => isForbidden(api, access, call)));
  const missing = Object.keys(scopes).filter((_, at) => lacks[at]);
  if (missing.length > 0) {
    throw refuse("credentials", `The token of ${label} lacks scopes that servers need: ${missing.join(", ")}.`);
  }
  return { account: account.team?.name ?? account.email };
}

// No API returns the scopes of a token. A call without its scope is forbidden before the provider looks at what it is about:
// these read a list, or name what cannot exist, so that they change nothing.
const list = (path: string): JsonCall => ({ path, query: { per_page: 1 } });
const make = (path: string, body = {}): JsonCall => ({ method: "POST", path, body });
const remove = (path: string): JsonCall => ({ method: "DELETE", path });

const scopes: Record<string, JsonCall> = {
  "regions:read": list("/regions"),
  "sizes:read": list("/sizes"),
  "image:read": list("/images"),
  "image:create": make("/images"),
  "image:delete": remove("/images/0"),
  "droplet:read": list("/droplets"),
  "droplet:create": make("/droplets"),
  "droplet:update": make("/droplets/0/actions", { type: "power_on" }),
  "droplet:delete": remove("/droplets/0"),
  "vpc:read": list("/vpcs"),
  "firewall:read": list("/firewalls"),
  "firewall:create": make("/firewalls"),
  "firewall:delete": remove("/firewalls/00000000-0000-0000-0000-000000000000"),
  "reserved_ip:read": list("/reserved_ips"),
  "reserved_ip:create": make("/reserved_ips"),
  "reserved_ip:delete": remove("/reserved_ips/192.0.2.1"),
  "tag:create": make("/tags"),
};

async function isForbidden(api: JsonApi, access: CloudAccess, call: JsonCall): Promise<boolean> {
  try {
    await sendJson(api, access, call);
    return false;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return error.field === "credentials";
  }
}
