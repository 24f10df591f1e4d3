import type { Static } from "typebox";
import type { AccessGranted, AccessRequest, SshKeyReply, SshKeyRequest } from "./schema.ts";

// Examples in the documentation of the API.

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE3xQq2rRUjv9bdyYEvmQDCFZoFQ9S1WVbvhpCHp1Ahm";
const fingerprint = "SHA256:ZIMG1SzzN5a0W/dLnAA18bU8U4RgAP+CvL1RTVU7P0w";

export const keyRequest: Static<typeof SshKeyRequest> = { name: "Laptop", public_key: `${publicKey} alice@laptop` };

export const key: Static<typeof SshKeyReply>["data"] = {
  id: 3,
  name: "Laptop",
  owner: "user",
  user_id: 1,
  organization_id: null,
  public_key: publicKey,
  fingerprint,
  created_at: "2026-03-01T10:20:30.123456Z",
};

export const accessRequest: Static<typeof AccessRequest> = { ssh_key_id: 3 };

export const access: Static<typeof AccessGranted>["data"] = {
  id: 5,
  server_id: 1,
  ssh_key_id: 3,
  account: "root",
  name: "Laptop",
  fingerprint,
  is_removed: false,
  granted_by: 1,
  sync: { state: "pending", since: "2026-03-01T10:20:30.123456Z", error: null, retry_at: null },
  created_at: "2026-03-01T10:20:30.123456Z",
};
