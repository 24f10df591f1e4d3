import type { Static } from "typebox";
import { success } from "../../../http/schemas.ts";
import type { ImportReply, ImportRequest } from "./schema.ts";

// Examples for the API documentation.

export const importRequestExample: Static<typeof ImportRequest> = {
  source: "healthchecks",
  dry_run: true,
  data: { checks: [{ name: "Nightly backup", slug: "nightly-backup", schedule: "30 4 * * *", grace: 3_600 }] },
};

export const importExample: Static<typeof ImportReply> = success({
  message: "1 monitors would be created. Nothing was changed.",
  data: {
    dry_run: true,
    created: 1,
    skipped: 0,
    items: [
      {
        item: "nightly-backup",
        name: "Nightly backup",
        type: "heartbeat",
        action: "create",
        reason: null,
        needs_target: false,
        notes: [],
        monitor_id: null,
        monitorable_type: "App\\Models\\SchedulerJob",
        monitorable_id: 21,
        config: { grace_seconds: 3_600 },
      },
    ],
  },
});
