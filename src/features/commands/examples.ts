import type { Static } from "typebox";
import { success } from "../../http/schemas.ts";
import type { CommandAccepted, CommandPage, CommandReply } from "./schema.ts";

// Examples for the API documentation.

const queued: Static<typeof CommandAccepted>["data"] = {
  id: 31,
  project_id: 7,
  server_id: 1,
  initiated_by: 2,
  command: "php artisan migrate:status",
  timeout_seconds: 1_800,
  status: "queued",
  exit_code: null,
  error: null,
  created_at: "2026-03-01T10:20:30.123456Z",
  started_at: null,
  ended_at: null,
};

const ended: typeof queued = {
  ...queued,
  status: "succeeded",
  exit_code: 0,
  started_at: "2026-03-01T10:20:31.123456Z",
  ended_at: "2026-03-01T10:20:33.123456Z",
};

export const commandAcceptedExample: Static<typeof CommandAccepted> = success({
  message: "The command was queued.",
  data: queued,
});

export const commandPageExample: Static<typeof CommandPage> = {
  current_page: 1,
  data: [ended],
  per_page: 50,
  total_pages: 1,
  total_items: 1,
};

export const commandReplyExample: Static<typeof CommandReply> = success({
  data: {
    ...ended,
    log: {
      data: [
        { offset: 0, step: "command", audience: "client", text: "Migration name .... Batch / Status\n", first_line: 1 },
      ],
      next: 36,
      has_more: false,
      is_complete: true,
      total_lines: 1,
      total_bytes: 35,
    },
  },
});
