import type { Settings } from "./setting.ts";
import { integer, oneOf } from "./values.ts";

/** How long work may take, and how long records of it are kept. */
export const workSettings = {
  sshConnectTimeoutSeconds: {
    env: "LONGSHORE_SSH_CONNECT_TIMEOUT_SECONDS",
    ...integer(1, 300),
    default: "10",
    about: "How long one attempt to connect to a server may take.",
  },
  answerWithinSeconds: {
    env: "LONGSHORE_ANSWER_WITHIN_SECONDS",
    ...integer(1, 300),
    default: "90",
    about:
      "How long a request waits for a server, such as for nginx to take a site, before it answers 202 and continues in the background. " +
      "Keep it under the time that a proxy before Longshore allows.",
  },
  unreachableAfterSeconds: {
    env: "LONGSHORE_UNREACHABLE_AFTER_SECONDS",
    ...integer(1, 86_400),
    default: "60",
    about: "A deployment to a server that does not answer fails after this many seconds.",
  },
  moveSilenceSeconds: {
    env: "LONGSHORE_MOVE_SILENCE_SECONDS",
    ...integer(5, 3_600),
    default: "60",
    about:
      "A move is given up when a server does not answer for this many seconds while the project's visitors see the maintenance page.",
  },
  moveForwardDays: {
    env: "LONGSHORE_MOVE_FORWARD_DAYS",
    ...integer(0, 90),
    default: "7",
    about:
      "After a move, the former server forwards visitors for so many days. 0: for a day, it asks them to come back later instead.",
  },
  abandonAfterHours: {
    env: "LONGSHORE_ABANDON_AFTER_HOURS",
    ...integer(1, 8_760),
    default: "24",
    about:
      "Work that began on a server, or waits for a new server's first connection, is given up when the server has not answered for this long.",
  },
  logRetentionDays: {
    env: "LONGSHORE_LOG_RETENTION_DAYS",
    ...integer(1, 36_500),
    default: "30",
    about:
      "Output of work on servers is deleted after this many days. Records of deployments stay; those of other work, such as publications of sites, go with it, but for the newest of each kind.",
  },
  auditRetentionDays: {
    env: "LONGSHORE_AUDIT_RETENTION_DAYS",
    ...integer(1, 36_500),
    default: "365",
    about: "Entries of the audit log are deleted after this many days.",
  },
  defaultPlan: {
    env: "LONGSHORE_DEFAULT_PLAN",
    ...oneOf(["starter", "pro", "business"]),
    default: "business",
    about:
      "The plan of organizations that are made from now on, but for the first one, which is on `business`. `starter` has one server, 5 monitors of a type and checks every 300 s; `pro` 50 monitors and 60 s; `business` no limits and 60 s. `longshore admin plan` changes the plan of one.",
  },
  eventRetentionDays: {
    env: "LONGSHORE_EVENT_RETENTION_DAYS",
    ...integer(1, 36_500),
    default: "7",
    about: "A client of the event stream can resume for this many days; older events are deleted.",
  },
} as const satisfies Settings;
