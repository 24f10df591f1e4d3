import { setBefore, type Variables } from "../../../host/script-file.ts";
import { releaseOf, type Work } from "./work.ts";

/**
 * The versions for repositories that name none; they change only with a new version of Longshore. With the `dist.integrity` of
 * each package, so that no registry can serve another archive under the same name.
 */
export const defaultManagers = { yarn: "4.18.1", bun: "1.4.5" } as const;

/** The versions of pnpm for lock files and ranges that the server's own does not fit; others come from the registry's list. */
export const pnpmVersions = ["9.15.9", "8.15.9", "7.33.7"] as const;

const checksums = {
  "pnpm@9.15.9": "aARhQYk8ZvrQHAeSMRKOmvuJ74fiaR1p5NQO7iKJiClf1GghgbrlW1hBjDolO95lpQXsfF+UA+zlzDzTfc8lMQ==",
  "pnpm@8.15.9": "SZQ0ydj90aJ5Tr9FUrOyXApjOrzuW7Fee13pDzL0e1E6ypjNXP0AHDHw20VLw4BO3M1XhQHkyik6aBYWa72fgQ==",
  "pnpm@7.33.7": "ev4kEGQrOcaY30baTOXHIxpczjYGmNafjPj0IlfUCz5D8jEFOwe43oSf1P+/SnH/V7g1E3d3o1I4jz09p0cgDg==",
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
 * Values of managers.sh. `fetch_manager` downloads the package manager that `pick_manager` chose if the server does not have it:
 * Yarn 2 and later, Bun, and each pnpm but the server's own, by packageManager or engines of package.json and by the lock file. It
 * sets `reason`, and `version` if it is known. The server has npm, one pnpm and Yarn 1.
 *
 * It comes from the registry that npm uses, as the project's user, and is kept in the project's home. The release has a hard link
 * to it, so that it still starts after others were fetched. The checksum that package.json names is, as with corepack, that of
 * Yarn's one file, or of pnpm's archive.
 */
export const fetching = (work: Work): Variables => ({
  checksum_lines: checksumLines,
  yarn_version: defaultManagers.yarn,
  bun_version: defaultManagers.bun,
  pnpm_versions: pnpmVersions,
  managers: `${work.layout.home}/package-managers`,
  release_programs: ownPrograms(work),
  // By client-command.sh.
  environment_exports: setBefore,
  with_environment: setBefore,
  settings: setBefore,
});
