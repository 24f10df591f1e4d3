import type { Static } from "typebox";
import type { IncidentChanged, IncidentPage, StatusPageChanged, StatusPagePage, StatusPageRequest } from "./schema.ts";

// Examples for the API documentation.

const page = { current_page: 1, per_page: 25, total_pages: 1, total_items: 1 };
const time = "2026-03-01T10:20:30.123456Z";

export const statusPageRequestExample: Static<typeof StatusPageRequest> = {
  name: "Shop",
  slug: "shop",
  monitors: [{ id: 4, label: "Web shop" }],
};

export const statusPageExample: Static<typeof StatusPageChanged>["data"] = {
  id: 3,
  name: "Shop",
  description: "",
  slug: "shop",
  domain: "status.example.com",
  is_public: true,
  url: "https://status.example.com/",
  monitors: [{ id: 4, label: "Web shop" }],
  open_incidents: 1,
  created_at: time,
  updated_at: time,
};

export const statusPagesExample: Static<typeof StatusPagePage> = { ...page, data: [statusPageExample] };

export const incidentExample: Static<typeof IncidentChanged>["data"] = {
  id: 8,
  title: "Orders are delayed",
  state: "investigating",
  created_at: time,
  updated_at: time,
  resolved_at: null,
  updates: [{ id: 15, state: "investigating", text: "We are looking into it.", created_at: time }],
};

export const incidentsExample: Static<typeof IncidentPage> = { ...page, data: [incidentExample] };
