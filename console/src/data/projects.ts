import type { Operations, ProjectSummary } from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { reading, readingAll } from "./cache.ts";

type ListQuery = NonNullable<Operations["GET /api/v1/projects"]["query"]>;

export type ProjectState = ProjectSummary["state"];
export type ProjectSort = NonNullable<ListQuery["sort"]>;
export type Environment = NonNullable<ProjectSummary["environment"]>;
export type ProjectFilter = Omit<NonNullable<Operations["GET /api/v1/projects/facets"]["query"]>, "organization">;

/** The environments that a project can be labelled with, and their names for people. */
export const environmentNames: Record<Environment, string> = {
  production: "Production",
  staging: "Staging",
  dev: "Development",
};

export const project = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "project", id }, "GET /api/v1/projects/{id}", { params: { id } });

/** What can be done to the project now, and why not. */
export const projectActions = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "project", id }, "GET /api/v1/projects/{id}/actions", { params: { id } });

/** The most that the API gives at once. */
export const projectsPerPage = 100;

/** A page of the list, from 1. */
export const projectPage = (o: OrganizationId, filter: ProjectFilter, sort: ProjectSort, page: number) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { ...filter, sort, view: "summary", per_page: projectsPerPage, page },
  });

export const projectFacets = (o: OrganizationId, filter: ProjectFilter) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects/facets", { query: filter });

export type { ProjectSummary };

/** The ids of all that match: at most 10,000. */
export const projectIds = (organization: OrganizationId, filter: ProjectFilter, sort?: ProjectSort) =>
  request("GET /api/v1/projects/ids", { organization, query: { ...filter, ...(sort && { sort }) } });

export const projectGroups = (o: OrganizationId) =>
  readingAll({ organization: o, noun: "groups" }, "GET /api/v1/project-groups");

/** The same for every organization, until the next version of Longshore. */
export const frameworks = (o: OrganizationId) =>
  reading({ organization: o, noun: "frameworks" }, "GET /api/v1/frameworks");

export const projectDomains = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "domains", id }, "GET /api/v1/projects/{id}/domains", { params: { id } });

export const projectRedirects = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "project", id }, "GET /api/v1/projects/{id}/redirects", { params: { id } });

export const domainActions = (o: OrganizationId, id: number, domainId: number) =>
  reading({ organization: o, noun: "domains", id }, "GET /api/v1/projects/{id}/domains/{domainId}/actions", {
    params: { id, domainId },
  });

export const projectCertificates = (o: OrganizationId, projectId: number) =>
  reading({ organization: o, noun: "certificates", id: projectId }, "GET /api/v1/projects/{projectId}/certificates", {
    params: { projectId },
  });

/** The names of the variables, and what is known of each; their values are never read. */
export const environmentVariables = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "environment", id }, "GET /api/v1/projects/{id}/environment-variables", {
    params: { id },
  });

export const rollbackCandidates = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "deployments", id }, "GET /api/v1/projects/{id}/rollback-candidates", {
    params: { id },
  });

export const projectSource = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "project", id }, "GET /api/v1/projects/{id}/source", { params: { id } });

export const projectPhp = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "project", id }, "GET /api/v1/projects/{id}/php", { params: { id } });

export const scheduledJobs = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "jobs", id }, "GET /api/v1/projects/{id}/scheduler-jobs", {
    params: { id },
    query: { per_page: 100 },
  });

export const backgroundJobs = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "jobs", id }, "GET /api/v1/projects/{id}/background-jobs", {
    params: { id },
    query: { per_page: 100 },
  });

export const scheduledJobActions = (o: OrganizationId, id: number, jobId: number) =>
  reading({ organization: o, noun: "jobs", id }, "GET /api/v1/projects/{id}/scheduler-jobs/{jobId}/actions", {
    params: { id, jobId },
  });

export const backgroundJobActions = (o: OrganizationId, id: number, jobId: number) =>
  reading({ organization: o, noun: "jobs", id }, "GET /api/v1/projects/{id}/background-jobs/{jobId}/actions", {
    params: { id, jobId },
  });
