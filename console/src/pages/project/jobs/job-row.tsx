import { Ellipsis, Pencil, Play, Power, RotateCw, ScrollText, Trash2 } from "lucide-react";
import { sentenceOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import { scheduleText } from "../../../parts/schedule-text.ts";
import { Button } from "../../../ui/button.tsx";
import { formatCount } from "../../../ui/format.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../../../ui/menu.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import { Time } from "../../../ui/time.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { failureOf, isScheduled, type Job, jobLooks } from "./job.ts";
import type { Opened } from "./job-dialogs.tsx";
import { useJobWrites } from "./use-job-writes.ts";
import { useStartRefusal } from "./use-start-refusal.ts";

interface Props {
  job: Job;
  onOpen: (opened: Opened) => void;
}

export function JobRow({ job, onOpen }: Props) {
  const failure = failureOf(job);
  const mayChange = useMay("project:update");
  return (
    <li data-job={job.name} className="flex flex-wrap items-start gap-x-4 gap-y-2 border-line border-b py-3">
      <div className="flex min-w-0 grow basis-64 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span dir="auto" className="font-medium text-prose [overflow-wrap:anywhere]">
            {job.name}
          </span>
          <StateIcon {...jobLooks[job.status]} state={job.status} />
        </p>
        <p className="flex flex-wrap gap-x-3 text-text-2">
          <When job={job} />
        </p>
        <code className="text-text-2 [overflow-wrap:anywhere]">{job.command}</code>
        {failure && <p className="text-bad [overflow-wrap:anywhere]">{failure}</p>}
      </div>
      <div className="flex items-center gap-1">
        <Button compact icon={ScrollText} onPress={() => onOpen({ kind: "output", job })}>
          Output
        </Button>
        {mayChange && <Actions job={job} onOpen={onOpen} />}
      </div>
    </li>
  );
}

/** When it runs, and when next. */
function When({ job }: { job: Job }) {
  if (!isScheduled(job)) return <span>{formatCount(job.processes, "process", "processes")}</span>;
  const words = scheduleText(job.cron_expression);
  const next = job.next_run_at;
  return (
    <>
      {words && <span>{words}</span>}
      <code className={words && "text-text-3"}>{job.cron_expression}</code>
      {next && Date.parse(next) > Date.now() && (
        <span>
          next <Time at={next} />
        </span>
      )}
    </>
  );
}

function Actions({ job, onOpen }: Props) {
  const { start, update } = useJobWrites(job);
  const disabledReason = useStartRefusal(job);
  const run = async () => {
    const { message } = await start.mutateAsync();
    showToast({ text: message, tone: "ok" });
  };
  const first: MenuItem = isScheduled(job)
    ? { id: "run", label: "Run now", icon: Play, disabledReason }
    : { id: "restart", label: "Restart", icon: RotateCw, disabledReason };
  const items: MenuItem[] = [
    { ...first, onAction: () => void run().catch(() => {}) },
    { id: "edit", label: "Edit job", icon: Pencil, onAction: () => onOpen({ kind: "edit", job }) },
    {
      ...{ id: "power", label: job.is_active ? "Switch off" : "Switch on", icon: Power },
      onAction: () => update.mutate({ is_active: !job.is_active }),
    },
  ];
  const remove: MenuItem = {
    ...{ id: "delete", label: "Delete job", icon: Trash2, danger: true },
    onAction: () => onOpen({ kind: "delete", job }),
  };
  const refusal = sentenceOf(start.error ?? update.error);
  return (
    <>
      {refusal && (
        <p role="alert" className="max-w-80 text-bad">
          {refusal}
        </p>
      )}
      <Menu
        label={`Actions of ${job.name}`}
        trigger={<IconButton label={`Actions of ${job.name}`} icon={Ellipsis} compact />}
        sections={[{ items }, { items: [remove] }]}
      />
    </>
  );
}
