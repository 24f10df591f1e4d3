import type { ReleaseName } from "../layout.ts";

/** Two addresses of the same repositories, prefixes of a path: `https://…/` for public access and `git@…:` with a key. */
export interface HostAddresses {
  web: string;
  ssh: string;
}

/**
 * The known git hosts: each by its root, preceded by the host that the two addresses of one repository show, since a
 * host may have its own SSH port.
 */
export function hostAddresses(
  roots: Readonly<Record<string, string>>,
  repository?: { web: string; ssh: string },
): HostAddresses[] {
  const byRoot = Object.values(roots).flatMap((root) => {
    const { hostname } = new URL(root);
    return [`git@${hostname}:`, `ssh://git@${hostname}/`].map((ssh) => ({ web: `${root}/`, ssh }));
  });
  const shown = repository && hostOf(repository);
  return shown ? [shown, ...byRoot] : byRoot;
}

// The part of both addresses before the path that they share.
function hostOf({ web, ssh }: { web: string; ssh: string }): HostAddresses | undefined {
  const path = /^(?:ssh:\/\/[^/]+\/|[^/:]+:)(.+?)(?:\.git)?$/.exec(ssh)?.[1];
  const bare = web.replace(/\.git$/, "");
  if (path === undefined || !/^https?:/.test(web) || !bare.endsWith(`/${path}`)) return undefined;
  return { web: bare.slice(0, -path.length), ssh: ssh.replace(/\.git$/, "").slice(0, -path.length) };
}

// The project's own mirror keeps the commits of submodules, by release as for its own commit: an object is the same in
// every repository.
export const submoduleRefs = (release: ReleaseName): string => `refs/longshore/submodules/${release}`;
