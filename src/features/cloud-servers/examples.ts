import type { Static } from "typebox";
import type { CostsReply, OrderReply, OrphanList, ResizeRequest, SnapshotReply, SnapshotRequest } from "./schema.ts";

// Examples in the documentation of the API.

// With its address.
const price = { monthly_price_net: "4.85", monthly_price_gross: "5.77", currency: "EUR" };

export const order: Static<typeof OrderReply>["data"] = {
  id: 6,
  server_id: 2,
  server_name: "web-2",
  provider_id: 1,
  provider_type: "cloud_a",
  location: "fsn1",
  server_type: "cx23",
  state: "active",
  error: null,
  public_ip: "192.0.2.20",
  ...price,
  price_problem: null,
  resources: [{ kind: "server", id: "4711", location: "fsn1" }],
  remaining: [],
  created_at: "2026-03-01T10:20:30.123456Z",
  active_at: "2026-03-01T10:21:12.123456Z",
  ended_at: null,
};

export const costs: Static<typeof CostsReply>["data"] = {
  totals: [{ currency: "EUR", servers_count: 1, monthly_price_net: "4.85", monthly_price_gross: "5.77" }],
  unpriced_servers_count: 0,
  servers: [{ id: 2, name: "web-2", provider_type: "cloud_a", ...price, price_problem: null }],
};

export const orphans: Omit<Static<typeof OrphanList>, "status"> = {
  data: [
    {
      kind: "server",
      id: "4712",
      location: "fsn1",
      name: "web-3",
      ...price,
      created_at: "2026-02-01T08:00:00.000000Z",
      seen_at: "2026-03-01T10:00:00.000000Z",
    },
  ],
  checked_at: "2026-03-01T10:00:00.000000Z",
  error: null,
};

export const resizeRequest: Static<typeof ResizeRequest> = { server_type: "cx33" };

export const snapshotRequest: Static<typeof SnapshotRequest> = { name: "golden" };

export const snapshot: Static<typeof SnapshotReply>["data"] = {
  id: 3,
  name: "golden",
  server_id: 2,
  provider_id: 1,
  location: "fsn1",
  server_os: "ubuntu_24_04",
  state: "ready",
  error: null,
  created_at: "2026-03-01T10:20:30.123456Z",
  ready_at: "2026-03-01T10:24:00.123456Z",
};

export const newSnapshot: typeof snapshot = { ...snapshot, state: "creating", ready_at: null };
