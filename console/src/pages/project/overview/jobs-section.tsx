import { useQuery } from "@tanstack/react-query";
import type { BackgroundJob, ProjectReply, SchedulerJob } from "../../../../../contract/types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { backgroundJobs, scheduledJobs } from "../../../data/projects.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Tone } from "../../../ui/tones.ts";

type Job = SchedulerJob | BackgroundJob;

const looks: Record<Job["status"], { word: string; tone: Tone }> = {
  active: { word: "Active", tone: "ok" },
  pending: { word: "Being set up", tone: "run" },
  inactive: { word: "Off", tone: "idle" },
  failed: { word: "Failed", tone: "bad" },
};

const columns: readonly Column<Job>[] = [
  { id: "name", label: "Name", render: ({ name }) => <span dir="auto">{name}</span> },
  { id: "state", label: "State", render: ({ status }) => <StateIcon {...looks[status]} state={status} /> },
  {
    id: "when",
    label: "Runs",
    render: (job) =>
      "cron_expression" in job ? (
        <span className="flex items-baseline gap-2 whitespace-nowrap">
          <code>{job.cron_expression}</code>
          {job.next_run_at && Date.parse(job.next_run_at) > Date.now() && (
            <span className="text-text-2">
              next <Time at={job.next_run_at} />
            </span>
          )}
        </span>
      ) : (
        <span className="text-text-2">All the time{job.processes > 1 && `, ${job.processes} processes`}</span>
      ),
  },
  {
    id: "command",
    label: "Command",
    grow: true,
    phone: "hidden",
    render: ({ command, error }) => (error ? <span className="text-bad">{error}</span> : <code>{command}</code>),
  },
];

/** Scheduled and background jobs; nothing for a project without any. */
export function JobsSection({ project }: { project: ProjectReply }) {
  const o = useOrganization();
  const scheduled = useQuery(scheduledJobs(o, project.id));
  const background = useQuery(backgroundJobs(o, project.id));
  if (scheduled.data?.data.length === 0 && background.data?.data.length === 0) return null;
  return (
    <Section title="Jobs">
      <Loaded query={scheduled} what="The scheduled jobs could not be read." rows={2}>
        {({ data: ofSchedule }) => (
          <Loaded query={background} what="The background jobs could not be read." rows={1}>
            {({ data: running }) => <JobTable jobs={[...ofSchedule, ...running]} />}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

const keyOf = (job: Job): string => `${"cron_expression" in job ? "scheduled" : "background"}:${job.id}`;

const JobTable = ({ jobs }: { jobs: readonly Job[] }) => (
  <SmallTable label="Jobs" columns={columns} rows={jobs} rowKey={keyOf} />
);
