import { Writable } from "node:stream";
import { Command, InvalidArgumentError, Option } from "commander";
import { openOutput, table } from "./cli/output.ts";
import { type Config, installationUrl, keyFile, loadConfig, settings } from "./config.ts";
import type { Pool } from "./db/pool.ts";
import { AppError } from "./lib/errors.ts";

interface CommonFlags {
  data?: string;
  json?: true;
}

type Result = Record<string, unknown>;

interface Installation {
  pool: Pool;
  config: Config;
}

type Work = (installation: Installation) => Promise<Result>;

/** `longshore admin …`: the few commands that need no token. They work with and without a running `up`. */
export function adminCommand(): Command {
  return new Command("admin")
    .description(
      "make users, tokens and memberships, set plans, print the set-up code or a link to sign in, change the secret key; also beside a running platform",
    )
    .addCommand(userCommand())
    .addCommand(tokenCommand())
    .addCommand(memberCommand())
    .addCommand(planCommand())
    .addCommand(setupCodeCommand())
    .addCommand(signInLinkCommand())
    .addCommand(rotateKeyCommand());
}

interface UserFlags extends CommonFlags {
  email: string;
  name?: string;
  password?: string;
  passwordStdin?: true;
  organization?: string;
  role?: string;
  plan?: string;
}

const userCommand = (): Command =>
  subcommand("user", "make a user, or change what is given of one")
    .requiredOption("--email <address>", "what the user signs in with")
    .option("--name <name>", "the user's name; needed for a new user")
    .option("--password-stdin", "read the password to sign in with from the first line of standard input")
    .addOption(
      new Option(
        "--password <password>",
        "the same, but others can see it in the list of processes, and it stays in the shell's history",
      ).conflicts("passwordStdin"),
    )
    .option(
      "--organization <name or id>",
      "made when there is none of that name (default: the user's current one, or a new one)",
    )
    .option("--role <role>", "Owner, Admin, Member or Viewer (default: Owner)")
    .option("--plan <plan>", "starter, pro or business")
    .action((flags: UserFlags) =>
      run(flags, async (installation) => {
        const { adminUser } = await import("./features/accounts/admin.ts");
        const { passwordStdin, ...given } = flags;
        const user = { ...given, defaultPlan: installation.config.defaultPlan };
        return adminUser(installation, passwordStdin ? { ...user, password: await readPassword() } : user);
      }),
    );

interface TokenFlags extends CommonFlags {
  email: string;
  name: string;
  permissions: string;
  organization?: string;
  bound?: true;
}

const tokenCommand = (): Command =>
  subcommand("token", "make a token; it is shown this once")
    .requiredOption("--email <address>", "whose token it is")
    .requiredOption("--name <name>", "what it is for")
    .requiredOption("--permissions <list>", "'*', or names separated by commas")
    .option("--organization <name or id>", "where requests run that name no organization")
    .option("--bound", "refuse it outside of that organization")
    .action((flags: TokenFlags) =>
      run(flags, async (installation) => {
        const { adminToken } = await import("./features/accounts/admin.ts");
        return adminToken(installation, flags);
      }),
    );

interface MemberFlags extends CommonFlags {
  email: string;
  organization: string;
  role: string;
  servers?: number[];
  projects?: number[];
}

const memberCommand = (): Command =>
  subcommand("member", "add or change a membership and what it reaches")
    .requiredOption("--email <address>", "the user")
    .requiredOption("--organization <name or id>", "the organization")
    .requiredOption("--role <role>", "Owner, Admin, Member or Viewer")
    .option("--servers <ids>", "restrict it to these servers and all their projects", toIds)
    .option("--projects <ids>", "restrict it to these projects", toIds)
    .action((flags: MemberFlags) =>
      run(flags, async (installation) => {
        const { adminMember } = await import("./features/accounts/admin.ts");
        return adminMember(installation, flags);
      }),
    );

interface PlanFlags extends CommonFlags {
  organization: string;
  plan: string;
}

const planCommand = (): Command =>
  subcommand("plan", "set the plan of an organization")
    .requiredOption("--organization <name or id>", "the organization")
    .requiredOption("--plan <plan>", "starter, pro or business")
    .action((flags: PlanFlags) =>
      run(flags, async (installation) => {
        const { adminPlan } = await import("./features/accounts/admin.ts");
        return adminPlan(installation, flags);
      }),
    );

const setupCodeCommand = (): Command =>
  subcommand("setup-code", "print a new code for the page that makes the first account; the one before ends")
    .addHelpText("after", aboutAddress)
    .action((flags: CommonFlags) =>
      run(flags, async (installation) => {
        const { makeSetupCode, setupPage } = await import("./features/sign-in/setup/actions.ts");
        const code = await makeSetupCode(installation);
        if (code !== undefined) return { setup_url: setupPage(await addressOf(installation), code), code };
        throw new AppError(
          "gone",
          "There is an account already. Print a link that signs it in: ./longshore admin sign-in-link --email you@example.com",
        );
      }),
    );

const signInLinkCommand = (): Command =>
  subcommand("sign-in-link", "print a link that signs a user in, once and within ten minutes; the one before ends")
    .requiredOption("--email <address>", "the user")
    .addHelpText("after", aboutAddress)
    .action((flags: CommonFlags & { email: string }) =>
      run(flags, async (installation) => {
        const { makeSignInCode, signInPage } = await import("./features/sign-in/links/actions.ts");
        const code = await makeSignInCode(installation, flags.email);
        return { sign_in_url: signInPage(await addressOf(installation), code), code };
      }),
    );

const { publicUrl } = settings;
const aboutAddress = `
The address is ${publicUrl.env}, or else the one at which \`up\` was last ready.
Where several processes share one address, set ${publicUrl.env} for all of them.`;

/** Where the installation can be opened: not what this command would listen on. */
async function addressOf({ pool, config }: Installation): Promise<string> {
  const { findAddress } = await import("./db/address.ts");
  return config.publicUrl ?? (await findAddress(pool)) ?? installationUrl(config);
}

const rotateKeyCommand = (): Command =>
  subcommand("rotate-key", "put all stored secrets under the first key of the key file or LONGSHORE_SECRET_KEY")
    .addHelpText(
      "after",
      "\nFirst put a new key before the old one (a line of `openssl rand -base64 32`) and restart every process.\nWhen this is done, the old key can be removed.",
    )
    .action((flags: CommonFlags) =>
      run(flags, async ({ pool, config }) => {
        const { rotateKey } = await import("./db/rotate-key.ts");
        const { openSecretBox } = await import("./lib/secrets.ts");
        const secrets = openSecretBox({ key: config.secretKey, file: keyFile(config), mayCreate: false });
        return { key_id: secrets.keyId, rotated: await rotateKey(pool, secrets) };
      }),
    );

/** The first line of standard input; a terminal asks for it and does not show what is typed. */
async function readPassword(): Promise<string> {
  const { createInterface } = await import("node:readline");
  const { isTTY = false } = process.stdin;
  if (isTTY) process.stderr.write("Password: ");
  const unseen = new Writable({ write: (_text, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: isTTY });
  try {
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
    if (isTTY) process.stderr.write("\n");
  }
}

const { dataDirectory: data } = settings;

const subcommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option(`${data.flag} <directory>`, `${data.about} (${data.env}, default ${data.default})`)
    .option("--json", "print one JSON object");

function toIds(list: string): number[] {
  const ids = list.split(",").filter((id) => id !== "");
  if (!ids.every((id) => /^[1-9]\d{0,14}$/.test(id))) throw new InvalidArgumentError("Give ids separated by commas.");
  return ids.map(Number);
}

/** Does the work on the database of the flags, and prints what it returns. */
async function run({ data, json }: CommonFlags, work: Work): Promise<void> {
  const { becomeService } = await import("./service/become.ts");
  const config = loadConfig(process.env, { dataDirectory: data }, await becomeService(data));
  const result = await withDatabase(config, work);
  openOutput({ json }).result(result, table(result));
}

async function withDatabase(config: Config, work: Work): Promise<Result> {
  const { openDatabase } = await import("./db/data-directory.ts");
  const { openPool } = await import("./db/pool.ts");
  const { isMigrated, migrate } = await import("./db/migrate.ts");
  const database = await openDatabase(config, "admin");
  const pool = openPool(database.url, { max: 2, applicationName: "longshore admin" });
  try {
    if (!(await isMigrated(pool))) {
      throw new AppError(
        "configuration",
        `The database of ${settings.databaseUrl.env} holds no installation. \`./longshore up\` makes one; otherwise correct the address.`,
      );
    }
    await migrate(pool);
    return await work({ pool, config });
  } finally {
    await pool.end();
    await database.close();
  }
}
