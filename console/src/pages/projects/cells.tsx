import { Pin } from "lucide-react";
import type { DeploymentSummary, ProjectMonitors, ProjectSummary } from "../../../../contract/types.ts";
import { classNames } from "../../ui/class-names.ts";
import { StateIcon } from "../../ui/state-icon.tsx";
import { Time } from "../../ui/time.tsx";
import type { Tone } from "../../ui/tones.ts";

/** The name, and the address below it, or beside it where rows are low. */
export function NameCell({ project, isDense }: { project: ProjectSummary; isDense: boolean }) {
  const { name, primary_domain, is_pinned } = project;
  return (
    <span className={classNames("flex min-w-0", isDense ? "items-baseline gap-2" : "flex-col leading-4")}>
      <span className="flex min-w-0 items-center gap-1.5">
        <span dir="auto" className="truncate">
          {name}
        </span>
        {is_pinned && <Pin aria-label="Pinned" size={12} className="shrink-0 text-text-3" />}
      </span>
      <span className="min-w-0 truncate font-normal text-meta text-text-2 max-sm:hidden">{primary_domain}</span>
    </span>
  );
}

export const Nothing = ({ text }: { text: string }) => <span className="text-text-3">{text}</span>;

export function CommitText({ deployment }: { deployment: DeploymentSummary }) {
  const { commit_id, commit_message, git_branch, git_tag, at } = deployment;
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      {commit_id && <code className="shrink-0 text-meta text-text-2">{commit_id.slice(0, 7)}</code>}
      <span dir="auto" className="min-w-0 truncate">
        {commit_message ?? git_tag ?? git_branch}
      </span>
      <Time at={at} plain className="ml-auto shrink-0 text-meta text-text-3" />
    </span>
  );
}

export function MonitorCounts({ up, down }: ProjectMonitors) {
  if (up + down === 0) return null;
  return down > 0 ? <StateIcon tone="bad" word={`${down} down`} /> : <StateIcon tone="ok" word={`${up} up`} />;
}

const looks: Record<DeploymentSummary["status"], { word: string; tone: Tone }> = {
  0: { word: "Waiting", tone: "idle" },
  1: { word: "", tone: "ok" },
  2: { word: "Failed", tone: "bad" },
  3: { word: "Deploying", tone: "run" },
  4: { word: "Cancelling", tone: "run" },
  5: { word: "Cancelled", tone: "idle" },
};

/** How it ended, where that is not well, and when. */
export function LastDeployment({ deployment: { status, at } }: { deployment: DeploymentSummary }) {
  const { word, tone } = looks[status];
  return (
    <span className="flex items-center justify-end gap-2">
      {word && <StateIcon tone={tone} word={word} iconOnly />}
      <Time at={at} plain className="text-text-2" />
    </span>
  );
}
