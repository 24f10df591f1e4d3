import { createInterface } from "node:readline/promises";
import { Command, Option } from "commander";
import { openOutput, table } from "../cli/output.ts";
import { loadConfig, settings } from "../config.ts";
import { AppError } from "../lib/errors.ts";
import type { Wanted } from "./installation.ts";
import { serviceLayout, serviceName, serviceUser } from "./layout.ts";

const layout = serviceLayout();

/** `longshore service …`: Longshore as a service of this machine. */
export function serviceCommand(): Command {
  return new Command("service")
    .description("install Longshore as a service of this machine, show its state and its log, remove it")
    .addCommand(installCommand())
    .addCommand(statusCommand())
    .addCommand(logsCommand())
    .addCommand(uninstallCommand())
    .addCommand(certificateCommand(), { hidden: true });
}

interface InstallFlags {
  domain?: string;
  email?: string;
  data?: string;
  role?: string;
  databaseUrlFile?: string;
  port?: string;
  host?: string;
  nginx?: true;
  manageThisMachine?: true;
  dryRun?: true;
  json?: true;
}

const installCommand = (): Command =>
  new Command("install")
    .description("install this version as a service, start it, and print the address that makes the first account")
    .option("--domain <names>", "the names under which browsers reach it over HTTPS, separated by commas")
    .option("--email <address>", "whom the authority that issues the certificate writes to")
    .option("--data <directory>", `where the database and the secret key are (default ${layout.data})`)
    .option("--role <role>", `${settings.role.type}: all needs no database of yours (default ${settings.role.default})`)
    .option(
      "--database-url-file <file>",
      `a file with the address of a PostgreSQL of yours; the variable ${settings.databaseUrl.env} does the same`,
    )
    .addOption(new Option("--port <number>", `${settings.port.about} (default ${settings.port.default})`))
    .addOption(new Option("--host <address>", `${settings.host.about} (default ${settings.host.default})`))
    .option("--nginx", "add a site with a certificate to the nginx of this machine, in place of ports 80 and 443")
    .option(
      "--manage-this-machine",
      "let Longshore add this machine as a server: one for the panel and for projects, behind its nginx",
    )
    .option("--dry-run", "print the files that it would write, and write nothing")
    .option("--json", "print one JSON object")
    .addHelpText("after", `\nIt is safe to repeat. What is left out stays as it is in ${layout.settings}.`)
    .action(runInstall);

async function runInstall(flags: InstallFlags): Promise<void> {
  const { install, planFor } = await import("./install.ts");
  const output = openOutput(flags);
  const wanted = await wantedBy(flags);
  if (flags.dryRun) {
    const { files, config } = await planFor(layout, wanted);
    const { findAccount } = await import("./machine.ts");
    const { planThisMachine } = await import("./this-machine.ts");
    const account = await findAccount(serviceUser);
    const onMachine = config.thisMachine === undefined ? [] : planThisMachine(layout, config, account);
    const shown = [...files, ...onMachine].map(({ path, text, mode }) => ({
      path,
      mode: mode.toString(8),
      text: masked(text),
    }));
    output.result({ files: shown }, shown.map(({ path, mode, text }) => `${path} (${mode})\n${text}`).join("\n"));
    return;
  }
  const { setupUrl, certificateProblem, ...done } = await install(layout, wanted, output);
  const result = { ...done, setup_url: setupUrl, certificate_problem: certificateProblem };
  output.result(result, describe(done.address, setupUrl, certificateProblem));
}

async function wantedBy(flags: InstallFlags): Promise<Wanted> {
  const { readFile } = await import("node:fs/promises");
  const { namesIn } = await import("./installation.ts");
  const { findSshPort } = await import("./this-machine.ts");
  const { domain, email, data, role, port, host, nginx, manageThisMachine, databaseUrlFile } = flags;
  const environment = loadConfig(process.env);
  const { secretKey } = environment;
  const databaseUrl = databaseUrlFile ? (await readFile(databaseUrlFile, "utf8")).trim() : environment.databaseUrl;
  const domains = domain && checkedNames(namesIn(domain));
  const thisMachine = manageThisMachine && (await findSshPort());
  const wanted = { email, data, role, port, host, nginx, databaseUrl, secretKey, domains, thisMachine };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Wanted;
}

/** They become words of files of nginx and systemd. */
function checkedNames(names: string[]): string[] {
  const wrong = names.find(
    (name) => !/^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/i.test(name),
  );
  if (wrong === undefined && names.length > 0) return names.map((name) => name.toLowerCase());
  throw new AppError(
    "configuration",
    `--domain must be names such as panel.example.com.${wrong ? ` It has "${wrong}".` : ""}`,
  );
}

/** A dry run is shown to others. */
function masked(text: string): string {
  const secrets = Object.values(settings).filter((setting) => "secret" in setting);
  const names = secrets.map(({ env }) => env).join("|");
  return text.replace(new RegExp(`^((?:${names})=).+$`, "gm"), "$1[secret]");
}

function describe(address: string, setupUrl: string | null, certificateProblem: string | null): string {
  const isLocal = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])/.test(address);
  const { port } = new URL(address);
  return [
    `Longshore runs at ${address}`,
    ...(isLocal ? [`From your computer: ssh -L ${port}:127.0.0.1:${port} root@THIS-MACHINE, then open it there.`] : []),
    ...(setupUrl ? ["", "Make the first account at this address, once and within 24 hours:", `  ${setupUrl}`] : []),
    ...(certificateProblem
      ? [
          "",
          "The authority has issued no certificate yet, so that browsers warn about the address:",
          `  ${certificateProblem}`,
          "It is ordered again twice a day, and at once by: systemctl start longshore-certificate",
        ]
      : []),
  ].join("\n");
}

const statusCommand = (): Command =>
  new Command("status")
    .description(
      "show version, health, unit, disk, size of the database and certificate; exits with 1 unless it is healthy",
    )
    .option("--json", "print one JSON object")
    .action(async (flags: { json?: true }) => {
      const { requireMachine } = await import("./machine.ts");
      const { describeStatus, readStatus } = await import("./status.ts");
      requireMachine("service status");
      const status = await readStatus(layout);
      openOutput(flags).result({ ...status }, table(describeStatus(status)));
      if (status.health !== "ok") process.exitCode = 1;
    });

const logsCommand = (): Command =>
  new Command("logs")
    .description("show the log of the service")
    .option("-f, --follow", "continue with what is logged from now on; Ctrl-C ends it")
    .option("-n, --lines <number>", "how many of the last lines", "100")
    .action(async ({ follow, lines }: { follow?: true; lines: string }) => {
      const { requireSystemd, runInTerminal } = await import("./machine.ts");
      requireSystemd();
      if (!/^\d{1,7}$/.test(lines)) throw new AppError("configuration", "--lines must be a whole number.");
      const argv = ["journalctl", `--unit=${serviceName}`, `--lines=${lines}`, "--output=short-iso"];
      process.exitCode = await runInTerminal([...argv, ...(follow ? ["--follow"] : [])]);
    });

const uninstallCommand = (): Command =>
  new Command("uninstall")
    .description("remove the service, its settings, its user and the programs; data stays")
    .option("--purge", "remove the data too: accounts, keys and records, for good; asks for the name of this machine")
    .addOption(new Option("--confirm <name>", "the name of this machine, for scripts").implies({ purge: true }))
    .option("--json", "print one JSON object")
    .action(async (flags: { purge?: true; confirm?: string; json?: true }) => {
      const { requireMachine, hostName } = await import("./machine.ts");
      const { uninstall } = await import("./uninstall.ts");
      requireMachine("service uninstall");
      const name = flags.purge ? (flags.confirm ?? (await askFor(await hostName()))) : undefined;
      const output = openOutput(flags);
      const { data } = await uninstall(layout, name, output);
      output.result(
        { data },
        data ? `Longshore is removed. Its data stays in ${data}.` : "Longshore and its data are removed.",
      );
    });

async function askFor(name: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new AppError("configuration", "--purge removes all data: give the name of this machine with --confirm NAME.");
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (
      await lines.question(`This removes all data of Longshore on ${name}, for good. Type the name of the machine: `)
    ).trim();
  } finally {
    lines.close();
  }
}

/** What the unit of the certificate calls. */
const certificateCommand = (): Command =>
  new Command("certificate")
    .description("order or renew the certificate of the site of nginx, when it is time")
    .requiredOption("--domain <names>", "the names, separated by commas")
    .action(async ({ domain }: { domain: string }) => {
      const { renewCertificate } = await import("./certificate.ts");
      const { namesIn } = await import("./installation.ts");
      const isNew = await renewCertificate(layout, loadConfig(process.env), checkedNames(namesIn(domain)));
      openOutput({}).note(isNew ? "The authority has issued a certificate." : "The certificate is young enough.");
    });
