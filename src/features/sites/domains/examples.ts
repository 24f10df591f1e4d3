import type { Static } from "typebox";
import { inSync } from "../../../engine/reconcile/target.ts";
import type { DomainAdded, DomainPage, NsChecked } from "./schema.ts";

// Examples for the API documentation.

export const domainExample: Static<typeof DomainAdded>["domain"] = {
  id: 12,
  domain_name: "shop.example.com",
  is_primary: 1,
  is_active: 1,
  redirect_to: null,
  redirect_status_code: null,
  created_at: "2026-03-01T10:20:30.123456Z",
  project_id: 7,
  sync: inSync,
  dns: {
    ok: true,
    expected_ip: "192.0.2.10",
    addresses: ["192.0.2.10"],
    chain: [],
    message: "shop.example.com points to 192.0.2.10, the address of the server.",
    checked_at: "2026-03-01T10:20:30.123456Z",
  },
};

const redirectExample: typeof domainExample = {
  ...domainExample,
  id: 13,
  domain_name: "example.com",
  is_primary: 0,
  redirect_to: "https://shop.example.com",
  redirect_status_code: 308,
  dns: null,
};

export const domainPageExample: Static<typeof DomainPage> = {
  current_page: 1,
  data: [domainExample],
  per_page: 25,
  total_pages: 1,
  total_items: 1,
};

export const domainsExample = [domainExample, redirectExample];

export const nsExample: Static<typeof NsChecked> = {
  status: "success",
  domain: "shop.example.com",
  expected_ip: "192.0.2.10",
  resolved_ip: "192.0.2.10",
  message: "shop.example.com points to 192.0.2.10, the address of the server.",
  names: [
    {
      name: "shop.example.com",
      ok: true,
      addresses: ["192.0.2.10"],
      chain: [],
      message: "shop.example.com points to 192.0.2.10, the address of the server.",
    },
  ],
};
