import type { ProjectReply } from "../../../contract/types.ts";
import { type Answers, allowed, example, ofProject } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

const address = "/o/1/projects/7";
const { alone, states: ofRepository } = pageStory({ address, always: ofProject });

/** A project that is WordPress. */
const application = (more: Pick<ProjectReply, "state" | "installation_status">): Answers => ({
  ...ofProject,
  "GET /api/v1/projects/{id}": {
    ...example("GET /api/v1/projects/{id}"),
    ...{ name: "Blog", source_type: "app", app_slug: "app_cms", app_version: null, repository: null, crash_loops: [] },
    ...{ live_deployment: null, last_deployment: null, ...more },
  },
  "GET /api/v1/projects/{id}/app/actions": allowed("GET /api/v1/projects/{id}/app/actions"),
});
const installed = pageStory({ address, always: application({ state: "live", installation_status: 1 }) });
const installing = pageStory({ address, always: application({ state: "deploying", installation_status: 0 }) });

export const states = {
  ...ofRepository,
  "of an application": installed.states.filled,
  "of an application whose details cannot be read": installed.states.error,
  "of an application that is being installed": installing.states.filled,
};
export { alone };
