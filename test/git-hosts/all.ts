import { dialectA } from "./git-host-a.ts";
import { dialectB } from "./git-host-b.ts";
import { dialectC } from "./git-host-c.ts";
import { GitHost } from "./host.ts";

export interface GitHosts {
  git_host_a: GitHost;
  git_host_b: GitHost;
  git_host_c: GitHost;
  /** Settings that point an installation to these instead of the public ones. */
  settings: Record<"gitHostAApiUrl" | "gitHostBApiUrl" | "gitHostCApiUrl", string>;
  close(): Promise<void>;
}

/** A stand-in for each git host. */
export async function startGitHosts(): Promise<GitHosts> {
  const git_host_a = await new GitHost(dialectA).listen();
  const git_host_b = await new GitHost(dialectB).listen();
  const git_host_c = await new GitHost(dialectC).listen();
  return {
    git_host_a,
    git_host_b,
    git_host_c,
    settings: {
      gitHostAApiUrl: git_host_a.apiUrl,
      gitHostBApiUrl: git_host_b.apiUrl,
      gitHostCApiUrl: git_host_c.apiUrl,
    },
    async close() {
      for (const host of [git_host_a, git_host_b, git_host_c]) await host.close();
    },
  };
}
