import { inSync } from "../../../engine/reconcile/target.ts";

export const redirectExample = {
  match: "pattern" as const,
  from: "/blog/:slug",
  to: "/news/:slug",
  status: 301 as const,
  keeps_query: true,
};

export const redirectsExample = {
  redirects: [redirectExample],
  updated_at: "2026-03-01T10:20:30.123456Z",
  sync: inSync,
};

export const ignoredExample = {
  line: 7,
  text: "/api/* https://api.example.com/:splat 200",
  reason: "Only redirects are imported: 301, 302, 307, 308 and 410.",
};
