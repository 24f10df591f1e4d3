import { useQuery } from "@tanstack/react-query";
import { type MonitorType, projectMonitors, type TargetType } from "../../data/monitors.ts";
import { useOrganization } from "../../data/organization.ts";
import { backgroundJobs, projectDomains, scheduledJobs } from "../../data/projects.ts";
import type { ChosenProject } from "../project-field.tsx";

/** What a monitor can watch of a project. */
export interface Target {
  /** Of the choice. */
  key: string;
  type: TargetType;
  id: number;
  label: string;
  description: string;
  /** What a health check of it requests. */
  url: string;
  disabledReason?: string | undefined;
}

const types = {
  project: "App\\Models\\Project",
  domain: "App\\Models\\Domain",
  scheduled: "App\\Models\\SchedulerJob",
  background: "App\\Models\\BackgroundJob",
} as const satisfies Record<string, TargetType>;

interface Row {
  id: number;
  label: string;
  description: string;
  url?: string;
  disabledReason?: string | undefined;
}

const targetOf = (kind: keyof typeof types, { url = "", ...row }: Row): Target => ({
  key: `${kind}:${row.id}`,
  type: types[kind],
  url,
  ...row,
});

/** A health check requests the project or one of its domains; a heartbeat expects reports of a job. */
export function useTargets(type: MonitorType, project: ChosenProject | undefined): Target[] {
  const sites = useSites(type === "http" ? project : undefined);
  const jobs = useJobs(type === "heartbeat" ? project : undefined);
  return type === "http" ? sites : jobs;
}

function useSites(project: ChosenProject | undefined): Target[] {
  const domains = useQuery({
    ...projectDomains(useOrganization(), project?.id ?? 0),
    enabled: project !== undefined,
  }).data?.data;
  if (!project) return [];
  const scheme = project.url.startsWith("http:") ? "http" : "https";
  return [
    targetOf("project", { ...project, label: project.name, description: "The project, whatever its domains are" }),
    ...(domains ?? []).map(({ id, domain_name: name }) =>
      targetOf("domain", { id, label: name, description: "This domain", url: `${scheme}://${name}/` }),
    ),
  ];
}

function useJobs(project: ChosenProject | undefined): Target[] {
  const [o, id, enabled] = [useOrganization(), project?.id ?? 0, project !== undefined];
  const scheduled = useQuery({ ...scheduledJobs(o, id), enabled }).data?.data ?? [];
  const background = useQuery({ ...backgroundJobs(o, id), enabled }).data?.data ?? [];
  const watched = useQuery({ ...projectMonitors(o, id), enabled }).data ?? [];
  const jobs = [
    ...scheduled.map((job) =>
      targetOf("scheduled", { id: job.id, label: job.name, description: `Scheduled: ${job.cron_expression}` }),
    ),
    ...background.map((job) =>
      targetOf("background", { id: job.id, label: job.name, description: "Runs all the time" }),
    ),
  ];
  const isWatched = (job: Target): boolean =>
    watched.some(({ monitorable_type, monitorable_id }) => monitorable_type === job.type && monitorable_id === job.id);
  return jobs.map((job) => (isWatched(job) ? { ...job, disabledReason: "It has a heartbeat already." } : job));
}
