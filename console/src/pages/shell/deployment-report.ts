import type { Deployment } from "../../../../contract/types.ts";
import { type OrganizationId, paths } from "../../paths.ts";
import { formatDuration } from "../../ui/format.ts";
import type { ToastText } from "../../ui/toast.tsx";

type Ended = Pick<Deployment, "id" | "status" | "process_type" | "project" | "duration">;

/** More than these at once are summed up. */
const mostSingle = 2;

const done: Record<Deployment["process_type"], string> = {
  deployment: "Deployed",
  rollback: "Rolled back",
  recycle: "Restarted",
  move: "Moved",
};

/** What is to be reported about deployments that have ended. */
export function reportsOf(o: OrganizationId, ended: readonly Ended[]): ToastText[] {
  if (ended.length <= mostSingle) return ended.map((each) => reportOf(o, each));
  const failed = ended.filter(isFailed).length;
  const text = `${ended.length} deployments have ended${failed > 0 ? `, ${failed} failed` : ""}`;
  const link = { href: paths.deployments(o, failed > 0 ? { status: "failed" } : {}), label: "Show" };
  return [{ text, tone: failed > 0 ? "bad" : "ok", link }];
}

function reportOf(o: OrganizationId, deployment: Ended): ToastText {
  const { id, process_type, project, duration } = deployment;
  const link = { href: paths.deployment(o, id), label: "Show" };
  if (isFailed(deployment)) return { text: `${project.name}: the deployment failed`, tone: "bad", link };
  return { text: `${done[process_type]} ${project.name} in ${formatDuration(duration * 1000)}`, tone: "ok", link };
}

export const isFailed = ({ status }: Pick<Ended, "status">): boolean => status === 2;
