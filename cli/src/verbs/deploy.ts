import { exitStatus, usage } from "../failure.ts";
import { projectOf } from "../find.ts";
import { attach, contactFor } from "../follow/attached.ts";
import { catchInterrupts } from "../follow/interrupts.ts";
import { deploymentIdsOf, requestOnce } from "../follow/request.ts";
import type { Invocation } from "../invocation.ts";
import { printJson } from "../output/lists.ts";
import { visible } from "../output/text.ts";
import { newKey } from "../session.ts";

export async function deploy(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const names = invocation.args.length > 0 ? invocation.args : [undefined];
  const projects = [];
  for (const name of names) projects.push(await projectOf(invocation, name));
  const branch = invocation.text("branch");
  const commit = invocation.text("commit");
  if (invocation.isSet("oncePerCommit") && commit === undefined) throw usage("--once-per-commit needs --commit.");
  const body = {
    project_ids: projects.map(({ id }) => id),
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit_id: commit }),
    ...(invocation.isSet("oncePerCommit") ? { idempotent_per_commit: true } : {}),
  };
  const what = projects.map(({ name }) => visible(name)).join(", ");
  return begin(invocation, what, (contact) => requestOnce(session, contact, "POST /api/v1/deployments", { body }));
}

/**
 * Sends the request that queues deployments, and stays with them, unless `--detach` was given. Ctrl-C during the request waits for
 * its answer, since only that has the ids.
 */
export async function begin(
  invocation: Invocation,
  what: string,
  request: (contact: ReturnType<typeof contactFor>) => Promise<object>,
): Promise<number> {
  const { terminal } = invocation;
  const session = await invocation.session();
  let ids: readonly number[] = [];
  const cancel = () => {
    terminal.note("Cancelling … Ctrl-C again stops watching.");
    for (const id of ids) void cancelOne(invocation, id);
  };
  const interrupts = catchInterrupts(invocation.isSet("cancelOnInterrupt") ? cancel : undefined);
  try {
    const answer = await request(contactFor(invocation, session, "Whether it was queued shows: longshore deployments"));
    ids = deploymentIdsOf(answer);
    if (invocation.isSet("detach")) return detached(invocation, what, ids);
    terminal.note(`${what}: deployment ${ids.join(", ")}`);
    return await attach(invocation, ids, interrupts);
  } finally {
    interrupts.release();
  }
}

function detached({ terminal, json }: Invocation, what: string, ids: readonly number[]): number {
  for (const id of ids) {
    if (!json) terminal.result(String(id));
    terminal.note(`Deployment ${id} of ${what} was queued. Watch: longshore deployments watch ${id}`);
  }
  if (json) printJson(terminal, { status: "queued", deployments: ids.map((id) => ({ id })) });
  return exitStatus.done;
}

/** A deployment that has ended by now is not an error: its record says how. */
async function cancelOne(invocation: Invocation, id: number): Promise<void> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const input = { params: { id }, idempotencyKey: newKey() };
  const answer = await session.answer("POST /api/v1/deployments/{id}/cancel", input).catch(() => undefined);
  if (!answer) terminal.note(`Deployment ${id} could not be cancelled: there was no answer.`);
  else if (!answer.ok) terminal.note(visible(answer.body.message));
}
