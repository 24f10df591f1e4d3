import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetchOf } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { backgroundJobs, project, scheduledJobs } from "../../../data/projects.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Section } from "../../../ui/section.tsx";
import { useProject, useProjectRefusals } from "../use-project.ts";
import type { Job } from "./job.ts";
import { JobDialogs, type Opened } from "./job-dialogs.tsx";
import { JobRow } from "./job-row.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.project)];
  return prefetchOf(project(o, id), scheduledJobs(o, id), backgroundJobs(o, id));
};

/** What a project runs by a schedule, and what it runs all the time. */
export function Component(): ReactNode {
  const [o, project] = [useOrganization(), useProject()];
  const scheduled = useQuery(scheduledJobs(o, project.id));
  const background = useQuery(backgroundJobs(o, project.id));
  const [opened, setOpened] = useState<Opened>();
  const refusal = useProjectRefusals(project);
  return (
    <div className="flex flex-col gap-8">
      <Section
        title="Scheduled jobs"
        description="Run by the clock of the server, in the live release."
        actions={
          <AddButton onPress={() => setOpened({ kind: "scheduled" })} reason={refusal("create_scheduled_job")}>
            Add scheduled job
          </AddButton>
        }
      >
        <Loaded query={scheduled} what="The scheduled jobs could not be read." rows={2}>
          {({ data }) => <Jobs label="Scheduled jobs" jobs={data} onOpen={setOpened} empty={noScheduled} />}
        </Loaded>
      </Section>
      <Section
        title="Background jobs"
        description="Kept running, and started again with each release."
        actions={
          <AddButton onPress={() => setOpened({ kind: "background" })} reason={refusal("create_background_job")}>
            Add background job
          </AddButton>
        }
      >
        <Loaded query={background} what="The background jobs could not be read." rows={2}>
          {({ data }) => <Jobs label="Background jobs" jobs={data} onOpen={setOpened} empty={noBackground} />}
        </Loaded>
      </Section>
      <JobDialogs opened={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}

interface AddProps {
  onPress: () => void;
  reason: string | undefined;
  children: string;
}

function AddButton({ onPress, reason, children }: AddProps) {
  if (!useMay("project:update")) return null;
  return (
    <Button icon={Plus} onPress={onPress} disabledReason={reason}>
      {children}
    </Button>
  );
}

const noScheduled = (
  <Empty title="No scheduled jobs">
    Such as <code>php artisan schedule:run</code> every minute, or a backup each night.
  </Empty>
);

const noBackground = (
  <Empty title="No background jobs">
    Such as a queue worker: <code>php artisan queue:work</code>.
  </Empty>
);

interface JobsProps {
  label: string;
  jobs: readonly Job[];
  onOpen: (opened: Opened) => void;
  empty: ReactNode;
}

function Jobs({ label, jobs, onOpen, empty }: JobsProps) {
  if (jobs.length === 0) return empty;
  return (
    <ul aria-label={label} className="border-line border-t">
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} onOpen={onOpen} />
      ))}
    </ul>
  );
}
