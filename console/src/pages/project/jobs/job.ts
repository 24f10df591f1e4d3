import type { BackgroundJob, SchedulerJob } from "../../../../../contract/types.ts";
import type { Tone } from "../../../ui/tones.ts";

export type Job = SchedulerJob | BackgroundJob;

export const isScheduled = (job: Job): job is SchedulerJob => "cron_expression" in job;

export const jobLooks: Record<Job["status"], { word: string; tone: Tone }> = {
  active: { word: "Active", tone: "ok" },
  pending: { word: "Being set up", tone: "run" },
  inactive: { word: "Off", tone: "idle" },
  failed: { word: "Failed", tone: "bad" },
};

/** Why the server does not have it as it is here: its own failure, or that of the last attempt to bring it there. */
export const failureOf = ({ error, sync }: Job): string | null => error ?? sync.error;
