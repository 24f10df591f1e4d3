import type { SourceProviderRequest } from "../../../../../contract/types.ts";

export type HostType = SourceProviderRequest["provider_type"];

interface Host {
  id: HostType;
  label: string;
  /** What the host calls the token, and what it has to be allowed. */
  token: string;
}

/** The hosts in the order of their types. */
export const hosts: readonly Host[] = [
  {
    id: "git_host_a",
    label: "GitHub",
    token: "Fine-grained: Administration and Webhooks (write), Contents and Metadata (read). Classic: the scope repo.",
  },
  {
    id: "git_host_b",
    label: "GitLab",
    token: "A personal, group or project access token with the scope api and the role Maintainer.",
  },
  {
    id: "git_host_c",
    label: "Bitbucket",
    token: "An API token or an access token that administers repositories and webhooks.",
  },
];

/** The fields that only some hosts have, as the API takes them: what is empty is not sent. */
export function credentialsOf(texts: Record<"token" | "username" | "workspace", string>) {
  const { token, username, workspace } = texts;
  return {
    token: token.trim(),
    ...(username.trim() && { username: username.trim() }),
    ...(workspace.trim() && { workspace: workspace.trim() }),
  };
}
