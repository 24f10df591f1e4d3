import type { Static } from "typebox";
import { success } from "../../../http/schemas.ts";
import type { GroupCreated, GroupPage, GroupReply } from "./schema.ts";

// Examples for the API documentation.

export const groupExample: Static<typeof GroupCreated>["data"] = {
  id: 3,
  name: "Shop",
  description: "The shop in all of its environments",
  updated_at: "2026-03-01T10:20:30.123456Z",
};

export const groupPageExample: Static<typeof GroupPage> = {
  current_page: 1,
  data: [{ ...groupExample, projects_count: 1 }],
  per_page: 25,
  total_pages: 1,
  total_items: 1,
};

export const groupReplyExample: Static<typeof GroupReply> = success({
  data: { ...groupExample, projects: [{ id: 7, name: "Shop", environment: "production", server_id: 1 }] },
});
