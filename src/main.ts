import { Command, Option } from "commander";
import { adminCommand } from "./admin.ts";
import { openOutput, reportFailure } from "./cli/output.ts";
import { loadConfig, settings } from "./config.ts";
import { serviceCommand } from "./service/command.ts";
import { upgradeCommand } from "./service/upgrade/command.ts";

// A command's modules are loaded when it runs: --help responds at once, and admin loads no HTTP.

interface UpFlags {
  port?: string;
  host?: string;
  domain?: string;
  data?: string;
  role?: string;
  json?: true;
}

const program = new Command("longshore")
  .description("Servers and git repositories become running, watched, recoverable web applications.")
  .addCommand(upCommand())
  .addCommand(adminCommand())
  .addCommand(serviceCommand())
  .addCommand(upgradeCommand());
helpAfterErrors(program);

try {
  await program.parseAsync();
} catch (error) {
  reportFailure(error, { json: process.argv.includes("--json") });
  // What failed half-way may have left timers and connections behind, which would keep the process alive.
  process.exit(1);
}

function helpAfterErrors(command: Command): void {
  command.showHelpAfterError("Run it with --help to see what it takes.");
  command.commands.forEach(helpAfterErrors);
}

function upCommand(): Command {
  return new Command("up")
    .description("start the platform in the foreground; SIGTERM or Ctrl-C stops it in order")
    .addOption(optionOf("port", "number"))
    .addOption(optionOf("host", "address"))
    .addOption(optionOf("domains", "names"))
    .addOption(optionOf("dataDirectory", "directory"))
    .addOption(optionOf("role", "role"))
    .option("--json", "print one JSON object when it is ready")
    .action(runUp);
}

async function runUp({ port, host, domain, data, role, json }: UpFlags): Promise<void> {
  const config = loadConfig(process.env, { port, host, domains: domain, dataDirectory: data, role });
  const { up } = await import("./up.ts");
  await up(config, openOutput({ json }));
  // Everything that was started has ended in order. Does not wait for a remaining timer, such as that of a lost connection.
  process.exit();
}

function optionOf(name: "port" | "host" | "domains" | "dataDirectory" | "role", value: string): Option {
  const setting = settings[name];
  const usual = setting.default === "" ? "" : `, default ${setting.default}`;
  return new Option(`${setting.flag} <${value}>`, `${setting.about} (${setting.env}${usual})`);
}
