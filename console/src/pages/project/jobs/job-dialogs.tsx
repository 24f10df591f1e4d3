import { sentenceOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { LogView } from "../../../parts/log-view/log-view.tsx";
import { processLog } from "../../../parts/log-view/source.ts";
import { ConfirmDialog, Dialog } from "../../../ui/dialog.tsx";
import { isScheduled, type Job } from "./job.ts";
import { JobForm } from "./job-form.tsx";
import { useJobCreation, useJobWrites } from "./use-job-writes.ts";

/** What one does with jobs in a dialog. */
export type Opened = { kind: "scheduled" | "background" } | { kind: "edit" | "delete" | "output"; job: Job };

interface Props {
  opened: Opened | undefined;
  onClose: () => void;
}

export function JobDialogs({ opened, onClose }: Props) {
  if (!opened) return null;
  if (!("job" in opened)) return <AddDialog kind={opened.kind} onClose={onClose} />;
  if (opened.kind === "edit") return <EditDialog job={opened.job} onClose={onClose} />;
  if (opened.kind === "delete") return <DeleteDialog job={opened.job} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={`Output of ${opened.job.name}`} wide>
      <Output job={opened.job} />
    </Dialog>
  );
}

function AddDialog({ kind, onClose }: { kind: "scheduled" | "background"; onClose: () => void }) {
  const create = useJobCreation(kind);
  return (
    <Dialog isOpen onClose={onClose} title={`Add a ${kind} job`}>
      <JobForm
        kind={kind}
        verb="Add job"
        write={create}
        onSend={(values) => create.mutate(values, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface JobProps {
  job: Job;
  onClose: () => void;
}

function EditDialog({ job, onClose }: JobProps) {
  const { update } = useJobWrites(job);
  return (
    <Dialog isOpen onClose={onClose} title={`Edit ${job.name}`}>
      <JobForm
        kind={isScheduled(job) ? "scheduled" : "background"}
        job={job}
        verb="Save"
        write={update}
        onSend={(values) => update.mutate({ ...values, expected_updated_at: job.updated_at }, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Dialog>
  );
}

function DeleteDialog({ job, onClose }: JobProps) {
  const { remove } = useJobWrites(job);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${job.name}`}
      verb="Delete job"
      danger
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>The server stops running it, and its output is lost.</p>
    </ConfirmDialog>
  );
}

const earlierLines = 200;

function Output({ job }: { job: Job }) {
  const kind = isScheduled(job) ? "scheduler-jobs" : "background-jobs";
  const stream = `/api/v1/projects/${job.project_id}/${kind}/${job.id}/log/stream?lines=${earlierLines}`;
  return (
    <LogView
      source={processLog(useOrganization(), `${kind} ${job.id}`, stream)}
      label={`Output of ${job.name}`}
      isShort
    />
  );
}
