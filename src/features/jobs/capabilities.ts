import { capabilities } from "../../http/capabilities.ts";
import type { ProjectState } from "../projects/schema.ts";
import { type JobRow, jobStatuses, jobsPerProject } from "./schema.ts";

const tooMany = (noun: string) =>
  ({ too_many: { message: `A project can have at most ${jobsPerProject} ${noun}s.` } }) as const;

export const addingJobsCapabilities = capabilities<ProjectState>()({
  noun: "project",
  record: "GET /api/v1/projects/:id",
  verbs: {
    create_scheduled_job: { route: "POST /api/v1/projects/:id/scheduler-jobs", refusals: tooMany("scheduled job") },
    create_background_job: { route: "POST /api/v1/projects/:id/background-jobs", refusals: tooMany("background job") },
  },
});

const not_installed = {
  message: "The project is not installed on its server yet: its first deployment brings the jobs.",
} as const;
const failed = { late: true, message: "{error|The server could not run the job.}" } as const;

export const scheduledJobCapabilities = capabilities<JobRow>()({
  noun: "scheduled_job",
  record: "GET /api/v1/projects/:id/scheduler-jobs/:jobId",
  state: { field: "status", values: jobStatuses },
  verbs: {
    update: { route: "PUT /api/v1/projects/:id/scheduler-jobs/:jobId", refusals: {} },
    delete: { route: "DELETE /api/v1/projects/:id/scheduler-jobs/:jobId", refusals: {} },
    run: {
      route: "POST /api/v1/projects/:id/scheduler-jobs/:jobId/run",
      refusals: { not_installed, failed },
    },
  },
});

export const backgroundJobCapabilities = capabilities<JobRow>()({
  noun: "background_job",
  record: "GET /api/v1/projects/:id/background-jobs/:jobId",
  state: { field: "status", values: jobStatuses },
  verbs: {
    update: { route: "PUT /api/v1/projects/:id/background-jobs/:jobId", refusals: {} },
    delete: { route: "DELETE /api/v1/projects/:id/background-jobs/:jobId", refusals: {} },
    restart: {
      route: "POST /api/v1/projects/:id/background-jobs/:jobId/restart",
      refusals: {
        not_installed,
        switched_off: {
          when: { is_active: [false] },
          message: "The background job is switched off: switch it on to start it.",
        },
        failed,
      },
    },
  },
});
