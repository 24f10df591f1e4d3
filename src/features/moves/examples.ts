import type { Static } from "typebox";
import { type Planned, planOf } from "../../http/dry-run.ts";
import { success } from "../../http/schemas.ts";
import type { MoveAccepted } from "./schema.ts";

// Examples for the API documentation.

export const moveExample: Static<typeof MoveAccepted> = success({
  message:
    "The move of Shop to web-2 was queued. Its domains must point to 192.0.2.20 when it has succeeded; until then they stay as " +
    "they are. The former server forwards visitors for 7 days then.",
  project_id: 7,
  deployment_id: 103,
  dns_records: [{ name: "shop.example.com", type: "A", value: "192.0.2.20" }],
  forward_days: 7,
});

export const plannedMoveExample: Static<typeof Planned> = success({
  message:
    "Shop would be moved to web-2, which builds the commit that is live. Visitors see the maintenance page while the rest is " +
    "copied.",
  plan: planOf({ needs_build: true }),
});
