import type { Plan } from "../../../src/engine/runs/plan.ts";
import {
  type DeploymentInput,
  deploymentPlan,
  installationPlan,
  recyclePlan,
  rollbackPlan,
} from "../../../src/features/deployments/plans.ts";
import { type JobOnServer, jobsPlan } from "../../../src/features/jobs/plans.ts";
import { findFramework } from "../../../src/features/projects/frameworks.ts";
import { type ProjectOnServer, removeProjectPlan } from "../../../src/features/projects/plans.ts";
import { maintenancePlan, publishSitePlan } from "../../../src/features/sites/plans.ts";
import { projectLayout } from "../../../src/host/layout.ts";
import { someIdentity } from "../../../src/host/project-mark/tests/identity.ts";

// The kinds of plans that the platform runs for a project, and their steps: taken from the product's own plans, so that
// a new step is part of the matrix at once.

export const families = ["static", "php", "node"] as const;
export type Family = (typeof families)[number];

export const frameworkIds: Record<Family, number> = { static: 10, php: 4, node: 8 };

/** What is started for a project. */
export type Action =
  | "deployment"
  | "installation"
  | "in-place deployment"
  | "rollback"
  | "recycle"
  | "cancellation"
  | "job set-up"
  | "project removal"
  | "site publication"
  | "maintenance";

export interface Kind {
  name: string;
  action: Action;
  family: Family;
  steps: readonly string[];
  /** Position of the step after whose success the plan only moves forward; -1: from the start. */
  noReturn: number;
  /** Position of the first step in which a cancel is too late. */
  turn: number;
}

/** With everything that a project may have, so that no step is left out. */
export const settings = {
  commands: { install: "true", build: "bash build.sh", dev: "node server.js", custom: "echo deployed" },
  sharedDirectories: ["uploads"],
  sharedFiles: ["notes.txt"],
} as const;

function projectOf(family: Family, zeroDowntime = true): ProjectOnServer {
  const framework = findFramework(frameworkIds[family]);
  if (!framework) throw new Error(`There is no framework for ${family}`);
  const layout = projectLayout(1);
  const kinds = {
    static: { family: "static", spa: framework.spa },
    php: { family: "php" },
    node: { family: "node", ports: [20_000, 20_001] },
  } as const;
  const site = {
    layout,
    kind: kinds[family],
    domains: [{ name: "a.test" }],
    wwwRedirect: 0,
    redirectStatus: 301,
  } as const;
  const writtenFiles = { mayGo: false, directories: settings.sharedDirectories, files: settings.sharedFiles };
  return {
    layout,
    identity: someIdentity,
    framework,
    site,
    directory: "",
    hasEnvironment: true,
    zeroDowntime,
    writtenFiles,
    ...settings,
  };
}

/** After their installation, the projects of these families have a background job, which deployments restart. */
export const jobFamilies: readonly Family[] = ["static"];

const inputOf = (project: ProjectOnServer): DeploymentInput => ({
  project,
  deploymentId: 2,
  source: { url: "https://example.com/a.git", branch: "main", access: "none" },
  hasJobs: false,
});

const laterInputOf = (family: Family): DeploymentInput => {
  const hasJobs = jobFamilies.includes(family);
  return { ...inputOf(projectOf(family)), hasJobs, restartsJobs: hasJobs };
};

const ofEachFamily: readonly Action[] = [
  "installation",
  "deployment",
  "in-place deployment",
  "rollback",
  "cancellation",
  "project removal",
];

function kind(action: Action, family: Family, { steps, pointOfNoReturn }: Plan): Kind {
  const name = ofEachFamily.includes(action) ? `${action}, ${family}` : action;
  const noReturn = steps.findIndex(({ key }) => key === pointOfNoReturn);
  const turn = steps.findLastIndex(({ checkpoint }, position) => checkpoint && position <= noReturn) + 1;
  return { name, action, family, steps: steps.map(({ key }) => key), noReturn, turn };
}

const site = projectOf("static");
const job: JobOnServer = { id: 1, command: "sleep infinity", isActive: true, runs: { processes: 1 } };

/** The actions on a project, in the order of a project's life. */
export const kinds: readonly Kind[] = [
  ...families.map((family) => kind("installation", family, installationPlan(inputOf(projectOf(family))))),
  ...families.map((family) => kind("deployment", family, deploymentPlan(laterInputOf(family)))),
  ...families.map((family) => kind("in-place deployment", family, deploymentPlan(inputOf(projectOf(family, false))))),
  ...families.map((family) => kind("rollback", family, rollbackPlan({ ...laterInputOf(family), releaseId: 1 }))),
  kind("recycle", "node", recyclePlan({ ...laterInputOf("node"), releaseId: 1 })),
  kind("cancellation", "static", deploymentPlan(laterInputOf("static"))),
  kind("cancellation", "node", deploymentPlan(laterInputOf("node"))),
  kind("site publication", "static", publishSitePlan(site.site)),
  kind("maintenance", "static", maintenancePlan(site.layout, true)),
  kind("job set-up", "php", jobsPlan(projectOf("php"), [job])),
  ...families.map((family) => kind("project removal", family, removeProjectPlan(projectOf(family), [1]))),
];

export const kindOf = (action: Action, family: Family): Kind => {
  const found = kinds.find((each) => each.action === action && each.family === family);
  if (!found) throw new Error(`There is no ${action} of ${family} projects`);
  return found;
};
