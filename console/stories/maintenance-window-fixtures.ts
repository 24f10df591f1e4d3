import type { MaintenanceWindow } from "../../contract/types.ts";

// Windows of all kinds: running, coming and past, once and repeating.

const once: MaintenanceWindow = {
  id: 1,
  name: "Database upgrade",
  starts_at: "2026-12-24T22:00:00.000000Z",
  ends_at: "2026-12-25T00:30:00.000000Z",
  cron_expression: null,
  duration_seconds: null,
  timezone: null,
  all_monitors: true,
  monitor_ids: [],
  server_ids: [],
  is_active: false,
  next_starts_at: "2026-12-24T22:00:00.000000Z",
  next_ends_at: "2026-12-25T00:30:00.000000Z",
  created_at: "2026-09-20T10:42:05.000000Z",
  updated_at: "2026-09-20T10:42:05.000000Z",
};

const repeating: MaintenanceWindow = {
  ...once,
  id: 2,
  name: "Backups",
  starts_at: null,
  ends_at: null,
  cron_expression: "0 3 * * 0",
  duration_seconds: 5_400,
  timezone: "Europe/Berlin",
  all_monitors: false,
  monitor_ids: [1, 2],
  server_ids: [7],
};

export const windows: MaintenanceWindow[] = [
  { ...once, is_active: true, next_starts_at: "2026-09-20T10:00:00.000000Z" },
  repeating,
  {
    ...repeating,
    id: 3,
    name: "صيانة الخوادم الأسبوعية",
    cron_expression: "0,30 2 1,15 * *",
    monitor_ids: [1, 2, 3, 4, 5],
  },
  { ...once, id: 4, name: "Move to the new data centre, with the mail of all departments and their archives" },
  { ...once, id: 5, name: "Last year’s upgrade", next_starts_at: null, next_ends_at: null },
];

export const targetNames = {
  monitors: new Map([
    [1, "shop.example.com"],
    [2, "الموقع"],
  ]),
  servers: new Map([[7, "web-1"]]),
};
