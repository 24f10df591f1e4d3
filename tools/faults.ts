// Writes docs/faults.md from the fault matrix of test/e2e/matrix; with --check, says whether it is up to date instead.
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { kinds } from "../test/e2e/matrix/kinds.ts";
import { type Outcome, resultsReader } from "../test/e2e/matrix/results.ts";
import { isUsuallyTried } from "../test/e2e/matrix/scope.ts";
import { type FaultName, faultNames, faultTable, serverKinds, usuallyTriedOfServer } from "../test/e2e/matrix/table.ts";

const file = join(import.meta.dirname, "../docs/faults.md");

interface Row {
  plan: string;
  step: string;
  cells: { outcomes: Outcome[]; isUsual: boolean }[];
}

const resultsOf = resultsReader();

/** Each step of each plan, with what became of it under each fault. */
export const rows: readonly Row[] = [
  ...kinds.flatMap((kind) =>
    kind.steps.map((step, position) => rowOf(kind.name, step, (fault) => isUsuallyTried(kind, position, fault))),
  ),
  ...Object.values(serverKinds).flatMap((kind) =>
    kind.steps.map((step, position) =>
      rowOf(kind.name, step, (fault) => usuallyTriedOfServer(kind.name, position, fault)),
    ),
  ),
];

function rowOf(plan: string, step: string, isUsual: (fault: FaultName) => boolean): Row {
  const cells = faultNames.map((fault) => {
    const { before, after } = resultsOf(plan, step, fault);
    const outcomes = [...new Set([before, after])].filter((each) => each !== undefined);
    return { outcomes, isUsual: isUsual(fault) };
  });
  return { plan, step, cells };
}

export function faultsPage(): string {
  const injected = faultNames.map((name) => {
    const { title, what, proof } = faultTable[name];
    return `| ${title} | ${what} | ${link(proof)} |`;
  });
  const cells = rows.flatMap((row) => row.cells);
  const tried = cells.filter(({ outcomes }) => outcomes.length > 0);
  const usual = cells.filter(({ isUsual }) => isUsual);
  return `# What happens when something dies

<!-- Made from test/e2e/matrix by \`node tools/faults.ts\`. -->

A complete run of these tests interrupts each plan of this table at each of its steps: once before the step's work, and once
between its work and the record of its end (plans of a server itself: before it). Afterwards every run has ended as this table
says, its record holds every line and every step once, no deployment was lost or doubled, and visitors got the release from
before or the new one all along (but for the time in which a rebooted server was away, and for projects that are deployed in
place).

| Fault | What is done | Test |
|---|---|---|
${injected.join("\n")}

* **goes on**: it ends as it would have, and the record catches up: the run belongs to the server. After a reboot it is taken
  up again where it was. On a full disk: the step needed no room.
* **put back**: the run fails and says why. Files, processes, settings and what visitors get are byte for byte what they were;
  what an installation had prepared stays.
* **stops**: a deployment in place has nothing to put back. The next one makes it whole.
* **fails**: what only goes forward fails and says why; what served before serves. Done again when there is room, it succeeds.
* **cancelled**: cancels of deployments are on their way when it happens. One that was accepted is carried out, or the
  deployment had passed its turn and goes on; cancelled, everything is put back.
* Two words: before the step's work and after it, something else became of it.
* –: not tried. The disk that is filled in these tests does not outlive a boot.

The words are what became of runs of the tests that were written down: ${tried.length} of ${cells.length} cells. A complete run,
\`FAULT_MATRIX=complete ./longshore test test/e2e/matrix\`, tries all of them and takes more than an hour. Every
\`./longshore test\` tries a choice of them in minutes and fails when something goes wrong in one: ${usual.length} cells, in bold here, at
one of the two moments. \`FAULT_MATRIX_SEED\` makes another choice, which \`FAULT_MATRIX=record\` adds to the table.

| Plan | Step | ${faultNames.map((name) => faultTable[name].title).join(" | ")} |
|---|---|${faultNames.map(() => "---|").join("")}
${rows.map(line).join("\n")}

Not in the table:

* A move between servers: ${link("test/e2e/move.e2e.test.ts")} kills the control plane at every step of its plans, on both
  servers, and tries steps that fail, cancels, reboots and servers that fall silent.
* The order of a certificate: ${link("test/e2e/certificates.e2e.test.ts")} kills the control plane in the middle of it.
* A project's site on a load balancer, and how its servers are left alone during a deployment:
  ${link("test/e2e/balancer.e2e.test.ts")} carries both out under visitors, ends servers' nginx and applications, and interrupts no
  step.
* The deploy key that a deployment waits for (${link("test/e2e/git-hosts.e2e.test.ts")}), a job that is run by hand or restarted
  (${link("test/e2e/jobs.e2e.test.ts")}), a server's time zone (${link("test/e2e/reboot.e2e.test.ts")}) and who may reach its
  databases (${link("src/features/servers/tests/plans-data.e2e.test.ts")}): short plans that are carried out on real servers there
  and not interrupted.
`;
}

const line = ({ plan, step, cells }: Row): string => `| ${plan} | ${step} | ${cells.map(cellOf).join(" | ")} |`;

function cellOf({ outcomes, isUsual }: Row["cells"][number]): string {
  const words = outcomes.join(" / ") || "–";
  return isUsual ? `**${words}**` : words;
}

const link = (path: string): string => `[${basename(path)}](../${path})`;

if (import.meta.main) {
  const page = faultsPage();
  if (!process.argv.includes("--check")) await writeFile(file, page);
  else if ((await readFile(file, "utf8").catch(() => "")) !== page) {
    process.stderr.write("docs/faults.md is not up to date. Run: node tools/faults.ts\n");
    process.exitCode = 1;
  }
}
