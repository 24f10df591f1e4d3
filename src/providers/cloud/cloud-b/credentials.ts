import { Type } from "typebox";
import { refuse } from "../check.ts";
import type { CloudAccess, CredentialField } from "../driver.ts";
import { callIdentity, type Ec2Api, Text } from "./api.ts";
import { listRegions } from "./catalogue.ts";
import { label } from "./errors.ts";
import { listMissingRights } from "./rights.ts";

export const credentialFields: readonly CredentialField[] = [
  {
    name: "access_key_id",
    label: "access key id",
    isPublic: true,
    pattern: /^AKIA[A-Z0-9]{12,60}$/,
    help: "Of an IAM user: begins with AKIA.",
  },
  {
    name: "secret_access_key",
    label: "secret access key",
    isPublic: false,
    pattern: /^[A-Za-z0-9/+=]{40,128}$/,
    help: "Shown once when the access key was made.",
  },
];

const Identity = Type.Object({ GetCallerIdentityResult: Type.Object({ Account: Text, Arn: Text }) });

/** Reading the identity needs no permission; the others are rehearsed. Nothing is made. */
export async function checkCredentials(api: Ec2Api, access: CloudAccess): Promise<{ account: string }> {
  const { GetCallerIdentityResult } = await callIdentity(api, access, Identity);
  const missing = await listMissingRights(api, access, await listRegions(api, access));
  if (missing.length > 0) {
    const names = missing.map((action) => `ec2:${action}`).join(", ");
    throw refuse("credentials", `The access key of ${label} lacks permissions that servers need: ${names}.`);
  }
  return { account: GetCallerIdentityResult.Account };
}
