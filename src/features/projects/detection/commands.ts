import type { Framework } from "../frameworks.ts";
import type { RepositoryFiles } from "./files.ts";
import { objectIn } from "./found.ts";
import { processesIn } from "./procfile.ts";
import type { Proposal } from "./proposal.ts";

// Commands beside the application itself: after its build, at times, and all the time.

export interface ProposedJob {
  name: string;
  command: string;
  reason: string;
}

export interface ProposedSchedulerJob extends ProposedJob {
  cron_expression: string;
}

export interface Commands {
  deploymentScript: Proposal | null;
  schedulerJobs: ProposedSchedulerJob[];
  backgroundJobs: ProposedJob[];
}

/** What the framework of a repository needs; its Procfile, if it has one, names more. */
export function commandsFor(files: RepositoryFiles, framework: Framework | undefined): Commands {
  const processes = processesIn(files.contents.Procfile).map((each) => ({
    ...each,
    reason: `Procfile has the line ${each.name}.`,
  }));
  const own = processes.filter(({ name }) => name !== "web" && name !== "release");
  const release = processes.find(({ name }) => name === "release");
  const isLaravel = framework?.id === 1;
  return {
    deploymentScript: release
      ? { value: release.command, reason: release.reason }
      : framework
        ? migrationsOf(files, framework)
        : null,
    schedulerJobs: isLaravel ? [laravelScheduler(files)] : [],
    backgroundJobs: own.length > 0 || !isLaravel ? own : laravelWorkers(files),
  };
}

// Migrations -------------------------------------------------------------------------------------------------------------------------

const migrations: readonly {
  families: readonly string[];
  file: RegExp;
  package: string;
  command: string;
  label: string;
}[] = [
  {
    families: ["php"],
    file: /^database\/migrations\/.+\.php$/,
    package: "laravel/framework",
    command: "php artisan migrate --force",
    label: "Laravel",
  },
  {
    families: ["php"],
    file: /^migrations\/.+\.php$/,
    package: "doctrine/doctrine-migrations-bundle",
    command: "php bin/console doctrine:migrations:migrate --no-interaction --allow-no-migration",
    label: "Doctrine",
  },
  {
    families: ["node"],
    file: /^prisma\/migrations\/.+/,
    package: "prisma",
    command: "npx prisma migrate deploy",
    label: "Prisma",
  },
];

function migrationsOf({ paths, contents }: RepositoryFiles, { runtimeFamily }: Framework): Proposal | null {
  const { dependencies, devDependencies } = objectIn(contents["package.json"]);
  const there = {
    ...Object(dependencies),
    ...Object(devDependencies),
    ...Object(objectIn(contents["composer.json"]).require),
  };
  for (const { families, file, package: name, command, label } of migrations) {
    const path = paths.find((each) => file.test(each));
    if (path === undefined || !families.includes(runtimeFamily) || !(name in there)) continue;
    return { value: command, reason: `${path.replace(/\/[^/]*$/, "")} has migrations of ${label}.` };
  }
  return null;
}

// Laravel ----------------------------------------------------------------------------------------------------------------------------

function laravelScheduler({ contents }: RepositoryFiles): ProposedSchedulerJob {
  const [file] = [
    ["routes/console.php", /\bSchedule::/] as const,
    ["bootstrap/app.php", /\bwithSchedule\b/] as const,
    ["app/Console/Kernel.php", /\$schedule->/] as const,
  ].find(([name, pattern]) => pattern.test(contents[name] ?? "")) ?? [undefined];
  return {
    name: "scheduler",
    command: "php artisan schedule:run",
    cron_expression: "* * * * *",
    reason: file === undefined ? "Laravel runs with it what the application schedules." : `${file} schedules commands.`,
  };
}

function laravelWorkers({ contents }: RepositoryFiles): ProposedJob[] {
  if ("laravel/horizon" in Object(objectIn(contents["composer.json"]).require)) {
    return [{ name: "horizon", command: "php artisan horizon", reason: "composer.json requires laravel/horizon." }];
  }
  const [, connection] = /^QUEUE_CONNECTION=["']?(\w+)/m.exec(contents[".env.example"] ?? "") ?? [];
  if (connection === "sync" || connection === "null") return [];
  const reason =
    connection === undefined
      ? "Laravel queues jobs for a worker, unless QUEUE_CONNECTION is sync."
      : `.env.example chooses the queue ${connection}, whose jobs a worker runs.`;
  return [{ name: "queue", command: "php artisan queue:work --tries=3 --max-time=3600", reason }];
}
