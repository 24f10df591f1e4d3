import type { Plan, RollbackCandidate } from "../../../contract/types.ts";
import { exitStatus, Failure, usage } from "../failure.ts";
import { idOf, projectOf } from "../find.ts";
import { requestOnce } from "../follow/request.ts";
import type { Invocation } from "../invocation.ts";
import { printJson } from "../output/lists.ts";
import { visible } from "../output/text.ts";
import { ago, bytes } from "../output/times.ts";
import { shortCommit } from "../words.ts";
import { begin } from "./deploy.ts";

export async function rollBack(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const project = await projectOf(invocation, invocation.args[0]);
  const id =
    invocation.args[1] === undefined
      ? await chosenCandidate(invocation, project)
      : idOf("A deployment", invocation.args[1]);
  if (invocation.isSet("dryRun")) return showPlan(invocation, id);
  return begin(invocation, visible(project.name), (contact) =>
    requestOnce(session, contact, "POST /api/v1/deployments/{id}/rollback", { params: { id } }),
  );
}

/** The previous release with `--yes` or `--dry-run`; otherwise a person chooses. */
async function chosenCandidate(invocation: Invocation, { id, name }: { id: number; name: string }): Promise<number> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const candidates = await session.call("GET /api/v1/projects/{id}/rollback-candidates", { params: { id } });
  const [previous] = candidates;
  if (!previous)
    throw new Failure(exitStatus.refused, `There is no earlier release of ${visible(name)} to roll back to.`);
  if (invocation.isSet("yes") || invocation.isSet("dryRun")) return previous.id;
  if (!terminal.canAsk) {
    throw usage(`Name the deployment to roll back to, or add --yes for the previous one (${previous.id}).`);
  }
  for (const [index, candidate] of candidates.entries())
    terminal.note(`${String(index + 1).padStart(3)}  ${candidateLine(candidate)}`);
  const answer = await terminal.ask(`Roll ${visible(name)} back to which one? [1-${candidates.length}] `);
  const chosen = /^\d{1,3}$/.test(answer) ? candidates[Number(answer) - 1] : undefined;
  if (!chosen) throw usage("Nothing was chosen, and nothing was done.");
  return chosen.id;
}

const candidateLine = ({ id, commit_id, git_tag, git_branch, description, created_at }: RollbackCandidate): string =>
  `${id}  ${shortCommit(commit_id)}  ${visible(git_tag ?? git_branch)}  ${visible(description)}  ${ago(created_at)}`;

async function showPlan(invocation: Invocation, id: number): Promise<number> {
  const session = await invocation.session();
  const input = { params: { id }, query: { dry_run: true } };
  const answer = await session.call("POST /api/v1/deployments/{id}/rollback", input);
  return printPlan(invocation, answer as unknown as { message: string; plan?: Plan });
}

/** Prints what a dry run answered. */
export function printPlan(
  { terminal, json }: Invocation,
  { message, plan }: { message: string; plan?: Plan | undefined },
): number {
  if (json) printJson(terminal, { message, plan: plan ?? null });
  else {
    terminal.result(visible(message));
    for (const { noun, count, names, bytes: size } of plan?.lost ?? []) {
      const which = names.length > 0 ? `: ${names.map(visible).join(", ")}` : "";
      terminal.result(`lost: ${count} ${visible(noun)}${which}${size === null ? "" : ` (${bytes(size)})`}`);
    }
    for (const warning of plan?.warnings ?? []) terminal.result(visible(warning));
    if (plan?.needs_build !== undefined && plan.needs_build !== null) {
      terminal.result(plan.needs_build ? "It is built again." : "Nothing is built: the release is still there.");
    }
  }
  return exitStatus.done;
}
