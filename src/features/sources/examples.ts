import type { Static } from "typebox";
import type { HostBranches, HostRepositories, ProviderReply, ProviderRequest, SourceReply } from "./schema.ts";

// Examples in the documentation of the API.

export const providerRequest: Static<typeof ProviderRequest> = {
  name: "Acme",
  provider_type: "git_host_a",
  credentials: { token: "github_pat_11AAAA" },
};

export const provider: Static<typeof ProviderReply>["data"] = {
  id: 7,
  name: "Acme",
  provider_type: "git_host_a",
  label: "GitHub",
  account: "acme",
  source: "source_7",
  created_at: "2026-03-01T10:20:30.123456Z",
};

export const repositories: Omit<Static<typeof HostRepositories>, "status"> = {
  data: [
    { repository: "acme/shop", is_private: true, default_branch: "main", web_url: "https://github.com/acme/shop" },
  ],
  next_cursor: null,
};

export const branches: Omit<Static<typeof HostBranches>, "status"> = {
  data: [{ name: "main", commit_id: "0123456789abcdef0123456789abcdef01234567", is_default: true }],
  next_cursor: null,
};

export const source: Static<typeof SourceReply>["data"] = {
  repository_type: "git_host_a",
  repository: "acme/shop",
  repository_branch: "main",
  provider: { id: 7, name: "Acme", provider_type: "git_host_a", label: "GitHub" },
  needs_confirmation: false,
  deploy_key: {
    public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE3xQq2rRUjv9bdyYEvmQDCFZoFQ9S1WVbvhpCHp1Ahm",
    is_registered: true,
    error: null,
  },
  commit_status: { error: null },
  webhook: {
    url: "https://longshore.example.com/api/v1/hooks/git_host_a/0123456789abcdefABCDEF",
    secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    is_registered: true,
    error: null,
  },
  sync: { state: "applied", since: "2026-03-01T10:20:30.123456Z", error: null, retry_at: null },
};
