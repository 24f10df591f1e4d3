import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mustRun } from "../sandbox/command.ts";
import type { SandboxServer } from "../sandbox/sandbox.ts";

export interface CapistranoOptions {
  /** Where its own files go. */
  directory: string;
  server: SandboxServer;
  repositoryUrl: string;
  /** Where it deploys to on the server. */
  deployTo: string;
}

/** A Capistrano project as its manual begins one: the git plugin, five releases kept, nothing linked, nothing built. */
export async function prepareCapistrano(options: CapistranoOptions): Promise<() => Promise<unknown>> {
  const { directory, server } = options;
  await mkdir(join(directory, "config/deploy"), { recursive: true });
  await writeFile(join(directory, "Capfile"), capfile);
  await writeFile(join(directory, "config/deploy.rb"), deployRb(options));
  await writeFile(
    join(directory, "config/deploy/production.rb"),
    `server "${server.address}", user: "root", roles: %w[app]\n`,
  );
  return () => mustRun(["cap", "production", "deploy"], { cwd: directory });
}

const capfile = `
require "capistrano/setup"
require "capistrano/deploy"
require "capistrano/scm/git"
install_plugin Capistrano::SCM::Git
`;

const deployRb = ({ server, repositoryUrl, deployTo }: CapistranoOptions): string => `
set :application, "bench"
set :repo_url, "${repositoryUrl}"
set :branch, "main"
set :deploy_to, "${deployTo}"
set :keep_releases, 5
set :ssh_options, keys: ["${server.privateKeyPath}"], keys_only: true, verify_host_key: :never
`;
