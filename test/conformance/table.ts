import { accountRules } from "./accounts.ts";
import { certificateRules } from "./certificates.ts";
import { domainRules } from "./domains.ts";
import { events } from "./events.ts";
import { groupRules } from "./groups.ts";
import { http } from "./http.ts";
import { jobRules } from "./jobs.ts";
import { me } from "./me.ts";
import { notificationRules } from "./notifications.ts";
import { deploymentRules, projects } from "./projects.ts";
import type { Area, Rule } from "./rule.ts";
import { servers } from "./servers.ts";
import { sources } from "./sources.ts";

/** What the API promises, and which tests prove it. */
export const conformance: readonly Area[] = [
  http,
  accountRules,
  me,
  servers,
  groupRules,
  projects,
  domainRules,
  certificateRules,
  deploymentRules,
  notificationRules,
  jobRules,
  sources,
  events,
];

export const allRules: readonly Rule[] = conformance.flatMap(({ rules }) => rules);
