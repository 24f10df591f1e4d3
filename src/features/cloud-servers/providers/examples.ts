import type { Static } from "typebox";
import type { OptionsReply, ProviderCreated, ProviderRequest } from "./schema.ts";

// Examples in the documentation of the API.

export const providerRequest: ProviderRequest = {
  name: "Our cloud",
  provider_type: "cloud_a",
  credentials: { token: "q8Kd0ZtW3rVnE5xLh7JpYcA1mSfG2uBo9iRkTwXzNvQe4aDbHsM6gPjUyClFtO5Z" },
};

export const provider: Static<typeof ProviderCreated>["data"] = {
  id: 1,
  name: "Our cloud",
  provider_type: "cloud_a",
  label: "Hetzner Cloud",
  account: "Hetzner Cloud project",
  created_at: "2026-03-01T10:20:30.123456Z",
};

export const options: Static<typeof OptionsReply>["data"] = {
  location: "fsn1",
  server_types: [
    {
      name: "cx23",
      description: "CX23",
      cores: 2,
      memory_gb: 4,
      disk_gb: 40,
      architecture: "x86",
      monthly_price_net: "4.35",
      monthly_price_gross: "5.18",
      currency: "EUR",
    },
  ],
  images: [{ id: "161547269", name: "Ubuntu 24.04", server_os: "ubuntu_24_04", architecture: "x86" }],
  private_networks: [{ id: "12", name: "internal", cidr: "10.0.0.0/16", is_default: false }],
  omitted_types: [{ name: "cx11", reason: "there is no capacity at present" }],
  skipped_items: [],
};
