import { useQuery } from "@tanstack/react-query";
import { refusalOf } from "../../../api/actions.ts";
import { useOrganization } from "../../../data/organization.ts";
import { backgroundJobActions, scheduledJobActions } from "../../../data/projects.ts";
import { useProject } from "../use-project.ts";
import { isScheduled, type Job } from "./job.ts";

/** Why a job cannot be run or restarted now. Only of a project that is not installed does the API know more than the record shows. */
export function useStartRefusal(job: Job): string | undefined {
  const o = useOrganization();
  const isAsked = useProject().installation_status !== 1;
  const run = useQuery({
    ...scheduledJobActions(o, job.project_id, job.id),
    enabled: isAsked && isScheduled(job),
  }).data?.data.run;
  const restart = useQuery({
    ...backgroundJobActions(o, job.project_id, job.id),
    enabled: isAsked && !isScheduled(job),
  }).data?.data.restart;
  const message = (isScheduled(job) ? run : restart)?.message;
  return message ?? (isScheduled(job) ? undefined : refusalOf("background_job", "restart", job));
}
