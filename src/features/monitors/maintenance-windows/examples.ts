import type { Static } from "typebox";
import type { WindowChanged, WindowPage, WindowRequest } from "./schema.ts";

// Examples for the API documentation.

export const windowRequestExample: Static<typeof WindowRequest> = {
  name: "Database upgrade",
  starts_at: "2026-12-24T22:00:00Z",
  ends_at: "2026-12-25T00:00:00Z",
  all_monitors: true,
};

export const windowExample: Static<typeof WindowChanged>["data"] = {
  id: 2,
  name: "Database upgrade",
  starts_at: "2026-12-24T22:00:00.000000Z",
  ends_at: "2026-12-25T00:00:00.000000Z",
  cron_expression: null,
  duration_seconds: null,
  timezone: null,
  all_monitors: true,
  monitor_ids: [],
  server_ids: [],
  is_active: false,
  next_starts_at: "2026-12-24T22:00:00.000000Z",
  next_ends_at: "2026-12-25T00:00:00.000000Z",
  created_at: "2026-03-01T10:20:30.123456Z",
  updated_at: "2026-03-01T10:20:30.123456Z",
};

export const windowPageExample: Static<typeof WindowPage> = {
  current_page: 1,
  data: [windowExample],
  per_page: 25,
  total_pages: 1,
  total_items: 1,
};
