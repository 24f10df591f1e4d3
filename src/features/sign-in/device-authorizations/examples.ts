import type { Static } from "typebox";
import type { Approval, DeviceAuthorization, DeviceCode, DeviceCodes, DeviceRequest, DeviceToken } from "./schema.ts";

// Examples in the documentation of the API.

export const deviceRequest: Static<typeof DeviceRequest> = {
  client_name: "longshore on alice-laptop",
  permissions: ["project:read", "deployment:create"],
};

export const deviceCode: Static<typeof DeviceCode> = { device_code: "lsd_0123456789abcdefghijABCDEFGHIJ0123456789" };

export const deviceCodes: Static<typeof DeviceCodes>["data"] = {
  ...deviceCode,
  user_code: "WDJB-MJHT",
  verification_uri: "https://deploy.example.com/device",
  verification_uri_complete: "https://deploy.example.com/device#WDJB-MJHT",
  expires_in: 600,
  interval: 3,
};

export const deviceToken: Static<typeof DeviceToken>["data"] = {
  state: "approved",
  token: "lsh_0123456789abcdefghijABCDEFGHIJ0123456789",
  organization: { id: 1, name: "Acme" },
};

export const deviceAuthorization: Static<typeof DeviceAuthorization> = {
  user_code: "WDJB-MJHT",
  client_name: "longshore on alice-laptop",
  client: { kind: "cli", name: "longshore", version: "0.3.0" },
  ip: "198.51.100.7",
  permissions: ["project:read", "deployment:create"],
  created_at: "2026-03-01T10:20:30.123456Z",
  expires_at: "2026-03-01T10:30:30.123456Z",
  oauth: null,
};

export const oauthAuthorization: Static<typeof DeviceAuthorization> = {
  ...deviceAuthorization,
  client_name: "Assistant",
  client: { kind: "mcp", name: "assistant.example.net", version: null },
  permissions: ["project:read", "server:read", "monitor:read", "organization:read"],
  oauth: {
    client_id: "https://assistant.example.net/oauth/client.json",
    client_host: "assistant.example.net",
    redirect_host: "assistant.example.net",
    is_local: false,
  },
};

export const approval: Static<typeof Approval> = {
  name: "alice-laptop",
  permissions: ["project:read", "deployment:create"],
  organization_id: 1,
  expires_at: "2026-06-01T00:00:00Z",
};
