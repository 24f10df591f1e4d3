import { releaseOf, type Work } from "./work.ts";

/**
 * The versions for repositories that name none; they change only with a new version of Longshore. With the `dist.integrity` of
 * each package, so that no registry can serve another archive under the same name.
 */
export const defaultManagers = { yarn: "4.18.1", bun: "1.4.5" } as const;

const checksums = {
  "@yarnpkg/cli-dist@4.18.1":
    "EH+A4TxAtBWXKE0DGQxW9Bo9crXHLJ73mfxjTQJuv8XonNWWTpei8BQ5JjczHJNU9GROTycwMFn8iOvRIZXUcA==",
  "@oven/bun-linux-x64@1.4.5":
    "IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==",
  "@oven/bun-linux-x64-baseline@1.4.5":
    "s8yMwYcFnnrA178gji0gZbkE2WVDej/Ti1x770oPfihxyRxSMNhGhiAQNXV53aDeraZxksdvKV/RAdQBCd0qPA==",
  "@oven/bun-linux-aarch64@1.4.5":
    "4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==",
};

const checksumLines = Object.entries(checksums)
  .map(([name, integrity]) => `${name} ${Buffer.from(integrity, "base64").toString("hex")}`)
  .join("\n");

/** Directory of the programs that a release's repository requires: before the server's in PATH. */
export const ownPrograms = (work: Work): string => `${releaseOf(work)}/.longshore/bin`;

/**
 * Values of managers.sh. `fetch_manager` downloads the package manager that `pick_manager` chose if the server does not have it: Yarn 2 and later, and
 * Bun. It sets `reason`, and `version` if it is known. The server has npm, pnpm and Yarn 1; pnpm itself fetches the version in
 * package.json.
 *
 * It comes from the registry that npm uses, as the project's user, and is kept in the project's home. The release has a hard link
 * to it, so that it still starts after others were fetched. The checksum that package.json names is, as with corepack, that of
 * Yarn's one file.
 */
export const fetching = (work: Work) => ({
  checksum_lines: checksumLines,
  yarn_version: defaultManagers.yarn,
  bun_version: defaultManagers.bun,
  managers: `${work.layout.home}/package-managers`,
  release_programs: ownPrograms(work),
});
