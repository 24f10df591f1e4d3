import type { Call } from "../tool.ts";
import { type Deployment, type DeploymentStep, hasEnded, sentenceOf, shown, stateOf } from "./records.ts";

// A deployment is followed to its end, or for a bounded time: what is answered is what its record shows then.

/** The routes that a tool which follows deployments uses. */
export const followingRoutes = ["GET /api/v1/deployments/:id", "GET /api/v1/deployments/:id/log"];

const progressEverySeconds = 3;
const shownLines = 40;

/** The deployment at its end, or after this time. */
export async function follow(call: Call, id: number, seconds: number): Promise<Deployment> {
  const deadline = performance.now() + seconds * 1_000;
  let deployment = await readDeployment(call, id, 0);
  for (;;) {
    const left = Math.ceil((deadline - performance.now()) / 1_000);
    if (hasEnded(deployment) || left <= 0 || call.signal.aborted) return deployment;
    const before = performance.now();
    deployment = await readDeployment(call, id, call.wantsProgress ? Math.min(progressEverySeconds, left) : left);
    await showProgress(call, deployment);
    // A server that stops answers at once, and would otherwise be asked without a pause.
    if (!hasEnded(deployment) && performance.now() - before < 500) return deployment;
  }
}

function readDeployment({ api, signal }: Call, id: number, seconds: number): Promise<Deployment> {
  const query = seconds > 0 ? { wait_seconds: seconds } : {};
  return api.send<Deployment>("GET /api/v1/deployments/:id", { params: { id }, query, signal });
}

async function showProgress(call: Call, { id, status, steps = [] }: Deployment): Promise<void> {
  const done = steps.filter((step) => step.status !== "pending" && step.status !== "running").length;
  const current = steps.find((step) => step.status === "running");
  const state = stateOf({ status });
  await call.progress(done, steps.length, `Deployment ${id}: ${current ? current.label : state}`);
}

/** Adds how a deployment ended to the answer, or how to continue to wait; returns it for the structured answer. */
export async function reportEnd(call: Call, deployment: Deployment): Promise<Record<string, unknown>> {
  const { answer } = call;
  const { id } = deployment;
  answer.say(sentenceOf(answer, deployment));
  answer.quote(`the commit message of deployment ${id}`, deployment.commit_message);
  const failed = deployment.steps?.find((step) => step.status === "failed");
  if (!hasEnded(deployment)) {
    sayWaiting(call, deployment);
  } else if (deployment.status === 2) {
    answer.say(failed ? `It failed in the step "${failed.label}". The reason and its log are below.` : "It failed.");
    answer.quote(`the reason of deployment ${id}`, deployment.error);
    if (failed) await quoteStep(call, id, failed);
    answer.say("The release that was live before is served as before. Fix the cause and deploy again, or roll back.");
  } else if (deployment.warnings.length > 0) {
    answer.say("It has warnings.").quote(`the warnings of deployment ${id}`, deployment.warnings.join("\n"));
  }
  answer.say(`Page: ${call.page(`/deployments/${id}`)}`);
  const reason = deployment.error === null ? {} : { reason: deployment.error };
  return { ...shown(deployment), ...reason, ...(failed ? { failed_step: failed.label } : {}) };
}

function sayWaiting({ answer }: Call, { id, waiting_for: waiting, steps = [] }: Deployment): void {
  const current = steps.find((step) => step.status === "running");
  if (waiting) answer.say(`It waits: ${waiting.reason}, position ${waiting.position}.`);
  else if (current) answer.say(`It runs the step "${current.label}".`);
  answer.say(`It has not ended, and nothing is known of its outcome yet. Continue with wait_for_deployment ${id}.`);
}

async function quoteStep(call: Call, id: number, step: DeploymentStep): Promise<void> {
  if (step.first_line === null || step.lines === 0) return;
  const from = Math.max(step.first_line, step.first_line + step.lines - shownLines);
  const log = await call.api.send<{ data: { text: string }[] }>("GET /api/v1/deployments/:id/log", {
    params: { id },
    query: { from_line: from, max_lines: shownLines },
  });
  call.answer.quote(`the log of deployment ${id}, from line ${from}`, log.data.map(({ text }) => text).join(""));
}
