import type { CloudProviderRequest } from "../../../../../contract/types.ts";
import { type CloudType, cloudNames } from "../../../data/providers.ts";

type Credentials = CloudProviderRequest["credentials"];

interface Credential {
  name: keyof Credentials;
  label: string;
  description?: string;
  /** It is no secret, and shown while it is typed. */
  isShown?: boolean;
}

interface Cloud {
  id: CloudType;
  label: string;
  credentials: readonly Credential[];
}

/** What each provider's credentials are, and the least rights that they need. */
export const clouds: readonly Cloud[] = [
  {
    id: "cloud_a",
    label: cloudNames.cloud_a,
    credentials: [
      {
        name: "token",
        label: "API token",
        description: "Of one project, with Read & Write. Use a project of its own: the token reaches all of it.",
      },
    ],
  },
  {
    id: "cloud_b",
    label: cloudNames.cloud_b,
    credentials: [
      {
        name: "access_key_id",
        label: "Access key id",
        description: "Of an IAM user made for Longshore, with the policy in its documentation of clouds.",
        isShown: true,
      },
      { name: "secret_access_key", label: "Secret access key" },
    ],
  },
  {
    id: "cloud_c",
    label: cloudNames.cloud_c,
    credentials: [
      {
        name: "token",
        label: "Personal access token",
        description: "With the scopes for droplets, images, firewalls, reserved addresses, tags and VPCs.",
      },
    ],
  },
];

export const cloudOf = (type: CloudType): Cloud => clouds.find(({ id }) => id === type) as Cloud;

/** The sentence about all credentials stands at the first of their fields. */
export function errorsAtFields(errors: Record<string, string> | undefined, type: CloudType) {
  if (errors?.credentials === undefined) return errors;
  const { credentials, ...others } = errors;
  return { ...others, [`credentials.${cloudOf(type).credentials[0]?.name}`]: credentials };
}
