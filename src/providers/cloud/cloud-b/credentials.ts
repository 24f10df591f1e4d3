import { Type } from "typebox";
import type { CloudAccess, CredentialField } from "../driver.ts";
import { callEc2, callIdentity, Done, type Ec2Api, homeRegion, Text } from "./api.ts";

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

/** Reading the identity needs no permission; the second call checks that the key may read EC2. */
export async function checkCredentials(api: Ec2Api, access: CloudAccess): Promise<{ account: string }> {
  const { GetCallerIdentityResult } = await callIdentity(api, access, Identity);
  await callEc2(api, access, { region: homeRegion, action: "DescribeRegions" }, Done);
  return { account: GetCallerIdentityResult.Account };
}
