import { appendFile } from "node:fs/promises";
import type { DeploymentReply } from "../../../contract/types.ts";
import { exitStatus, Failure } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { printJson } from "../output/lists.ts";
import { visible } from "../output/text.ts";
import { duration } from "../output/times.ts";
import { consolePage } from "../pages.ts";
import type { Session } from "../session.ts";
import { deploymentStates } from "../words.ts";
import { Contact } from "./contact.ts";
import { followDeployment } from "./deployment.ts";
import type { Interrupts } from "./interrupts.ts";
import { Progress, type ProgressView } from "./progress.ts";
import { commandText, NamedView, viewFor } from "./views.ts";

// A deployment that a command stays with until its end.

/** How one deployment ended, as far as it is known. */
export interface Outcome {
  id: number;
  record: DeploymentReply | undefined;
  /** Why the outcome is unknown. */
  failure: Failure | undefined;
  /** The last lines of the step that failed. */
  tail: readonly string[];
}

export const howToWatch = (ids: readonly number[]): string =>
  ids.map((id) => `longshore deployments watch ${id}`).join(" ; ");

export function contactFor(
  invocation: Invocation,
  session: Session,
  howToContinue: string,
  view?: ProgressView,
): Contact {
  const note = (line: string) => (view ? view.note(line) : invocation.terminal.note(line));
  return new Contact({ url: session.url, note, howToContinue, timeoutMs: invocation.duration("timeout") });
}

/** Follows deployments to their ends, reports them, and resolves with the exit status. */
export async function attach(invocation: Invocation, ids: readonly number[], interrupts: Interrupts): Promise<number> {
  const session = await invocation.session();
  const outcomes = await Promise.all(
    ids.map((id) => followOne(invocation, { id, isOnly: ids.length === 1 }, interrupts)),
  );
  if (interrupts.detached.aborted) return detach(invocation, outcomes);
  const reports = [];
  for (const outcome of outcomes) reports.push(await report(invocation, session, outcome));
  const status = worst(outcomes.map(statusOf));
  if (invocation.json) printJson(invocation.terminal, { status: nameOf(status), deployments: reports });
  return status;
}

async function followOne(
  invocation: Invocation,
  { id, isOnly }: { id: number; isOnly: boolean },
  interrupts: Interrupts,
): Promise<Outcome> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const view = isOnly ? viewFor(terminal) : new NamedView(terminal, String(id));
  const contact = contactFor(invocation, session, `It continues. Watch: ${howToWatch([id])}`, view);
  const progress = new Progress(view);
  try {
    const record = await followDeployment(id, { session, progress, view, contact, signal: interrupts.detached });
    return { id, record, failure: undefined, tail: progress.close() };
  } catch (error) {
    const tail = progress.close();
    if (!(error instanceof Failure)) throw error;
    return { id, record: undefined, failure: error, tail };
  }
}

function detach({ terminal }: Invocation, outcomes: readonly Outcome[]): number {
  for (const { id, record } of outcomes) {
    if (record) continue;
    terminal.note(
      `Deployment ${id} continues. Watch: longshore deployments watch ${id}. Cancel: longshore deployments cancel ${id}`,
    );
  }
  return exitStatus.interrupted;
}

function statusOf({ record }: Outcome): number {
  if (!record) return exitStatus.unknown;
  if (record.status === 1) return exitStatus.done;
  return record.status === 5 ? exitStatus.cancelled : exitStatus.deploymentFailed;
}

/** Of several: what a script must not overlook comes first. */
function worst(statuses: readonly number[]): number {
  const order = [exitStatus.unknown, exitStatus.deploymentFailed, exitStatus.cancelled];
  return order.find((status) => statuses.includes(status)) ?? exitStatus.done;
}

const nameOf = (status: number): string =>
  ({ [exitStatus.done]: "success", [exitStatus.deploymentFailed]: "failed", [exitStatus.cancelled]: "cancelled" })[
    status
  ] ?? "unknown";

async function report(
  invocation: Invocation,
  session: Session,
  { id, record, failure, tail }: Outcome,
): Promise<object> {
  const { terminal } = invocation;
  const page = await consolePage(session, `deployments/${id}`).catch(() => `deployment ${id}`);
  if (!record) {
    terminal.note(`${terminal.style("yellow", "?")} Deployment ${id}: ${failure?.message ?? ""}`);
    return { id, status: "unknown", error: failure?.message ?? null, page };
  }
  const url = record.status === 1 ? await addressOf(session, record.project_id) : null;
  const took = tookOf(record);
  for (const warning of record.warnings) terminal.note(`${terminal.style("yellow", "!")} ${visible(warning)}`);
  const sentence = sentenceOf(record, took);
  if (record.status === 1) terminal.note(`${terminal.style("green", "✓")} ${sentence}${url === null ? "" : ":"}`);
  else reportFailure(invocation, { sentence, tail, page, isFailed: record.status === 2 });
  if (url !== null && !invocation.json) terminal.result(visible(url));
  await summarize(record, sentence, url ?? page);
  const { status: _, output: __, steps: ___, ...rest } = record;
  return { ...rest, status: deploymentStates[record.status], url, page };
}

/** Undefined while it has not ended. */
function tookOf({ started_at: from, ended_at: to }: DeploymentReply): string {
  return from && to ? duration(new Date(to).getTime() - new Date(from).getTime()) : "0.0 s";
}

function sentenceOf({ id, project, status, process_type: type, error }: DeploymentReply, took: string): string {
  const name = visible(project.name);
  if (status === 1 && type === "recycle") return `${name} was restarted in ${took}`;
  if (status === 1 && type === "move") return `${name} was moved in ${took}`;
  if (status === 1) return `${name} is live in ${took}`;
  if (status === 5) return `Deployment ${id} of ${name} was cancelled.`;
  return `Deployment ${id} of ${name} failed: ${visible(error ?? "no reason was recorded.")}`;
}

/** The lines of the step that failed come again where they are not the last ones on the screen. */
function reportFailure(
  { terminal }: Invocation,
  { sentence, tail, page, isFailed }: { sentence: string; tail: readonly string[]; page: string; isFailed: boolean },
): void {
  const isInActions = process.env.GITHUB_ACTIONS === "true";
  terminal.note(`${terminal.style("red", "✗")} ${sentence}`);
  if (isFailed && (terminal.showsProgress || isInActions)) for (const line of tail) terminal.note(`  ${line}`);
  if (isInActions) terminal.note(`::error::${commandText(sentence)}`);
  terminal.note(page);
}

async function addressOf(session: Session, projectId: number): Promise<string | null> {
  const answer = await session
    .answer("GET /api/v1/projects/{id}", { params: { id: projectId } })
    .catch(() => undefined);
  return answer?.ok ? answer.body.url : null;
}

/** A line in the summary of a job of GitHub Actions. A summary that cannot be written changes no outcome. */
async function summarize(record: DeploymentReply, sentence: string, address: string): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_ACTIONS !== "true" || !GITHUB_STEP_SUMMARY) return;
  const plain = sentence.replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&");
  const commit = record.commit_id ? ` (\`${record.commit_id.slice(0, 7)}\`)` : "";
  await appendFile(
    GITHUB_STEP_SUMMARY,
    `${record.status === 1 ? "✅" : "❌"} ${plain}${commit}: <${encodeURI(address)}>\n`,
  ).catch(() => undefined);
}
