import type { Permission } from "../../../http/actor.ts";

/** What an item is about, and the path parameters of the operation that mends it. */
export interface Located {
  id: number;
  server_id: number | null;
  project_id: number | null;
}

/** An operation of the API that mends it, and what its button shows. */
interface Mend {
  operation: string;
  label: string;
  /** The permission that the operation needs: others do not see the operation. */
  needs: Permission;
  params: (item: Located) => Record<string, number | null>;
}

export const severities = ["critical", "warning"] as const;

/** A kind of what needs attention. */
export interface Kind {
  /** critical: visitors or data are affected, or it cannot be used at all. warning: it will be, or something is not as it was asked for. */
  severity: (typeof severities)[number];
  /** What its subject is. */
  noun: string;
  /** The permission for reading the subject. */
  permission: Permission;
  mend?: Mend;
}

const byId = ({ id }: Located) => ({ id });
const retrySetup: Mend = {
  operation: "postServersIdSetupRetry",
  label: "Try again",
  needs: "server:update",
  params: byId,
};
const renew: Mend = {
  operation: "postProjectsProjectIdCertificatesCertificateIdRenew",
  label: "Renew",
  needs: "project:update",
  params: ({ id, project_id }) => ({ projectId: project_id, certificateId: id }),
};

/** All kinds; the order is that of items of the same severity and time. */
export const kinds = {
  server_unreachable: { severity: "critical", noun: "server", permission: "server:read" },
  server_disk_filling: { severity: "warning", noun: "server", permission: "server:read" },
  server_not_connected_yet: {
    severity: "warning",
    noun: "server",
    permission: "server:read",
    // The record has the command to run on it, and what happened.
    mend: { operation: "getServersId", label: "Show command", needs: "server:read", params: byId },
  },
  server_not_connected: { severity: "warning", noun: "server", permission: "server:read", mend: retrySetup },
  setup_failed: { severity: "critical", noun: "server", permission: "server:read", mend: retrySetup },
  setup_incomplete: { severity: "warning", noun: "server", permission: "server:read", mend: retrySetup },
  server_not_applied: { severity: "warning", noun: "server", permission: "server:read" },
  order_failed: { severity: "critical", noun: "server", permission: "server:read", mend: retrySetup },
  order_left: { severity: "warning", noun: "order", permission: "server:read" },
  snapshot_failed: {
    severity: "warning",
    noun: "snapshot",
    permission: "server:read",
    mend: { operation: "deleteServerSnapshotsId", label: "Delete", needs: "server:delete", params: byId },
  },
  provider_failing: { severity: "warning", noun: "provider", permission: "server:create" },
  monitor_down: { severity: "critical", noun: "monitor", permission: "monitor:read" },
  heartbeat_late: { severity: "critical", noun: "monitor", permission: "monitor:read" },
  deployment_failed: {
    severity: "critical",
    noun: "deployment",
    permission: "project:read",
    mend: { operation: "postDeploymentsIdRerun", label: "Run again", needs: "deployment:create", params: byId },
  },
  move_failed: { severity: "warning", noun: "deployment", permission: "project:read" },
  project_crashing: {
    severity: "critical",
    noun: "project",
    permission: "project:read",
    mend: { operation: "postProjectsIdRecycle", label: "Restart", needs: "deployment:create", params: byId },
  },
  job_crashing: {
    severity: "critical",
    noun: "job",
    permission: "project:read",
    mend: {
      operation: "postProjectsIdBackgroundJobsJobIdRestart",
      label: "Restart",
      needs: "project:update",
      params: ({ id, project_id }) => ({ id: project_id, jobId: id }),
    },
  },
  job_failed: { severity: "warning", noun: "job", permission: "project:read" },
  app_not_installed: {
    severity: "critical",
    noun: "project",
    permission: "project:read",
    mend: { operation: "postProjectsIdInstallRetry", label: "Install again", needs: "project:create", params: byId },
  },
  app_not_updated: {
    severity: "warning",
    noun: "project",
    permission: "project:read",
    mend: { operation: "postProjectsIdAppUpdate", label: "Update again", needs: "project:update", params: byId },
  },
  project_not_applied: { severity: "warning", noun: "project", permission: "project:read" },
  source_not_registered: {
    severity: "warning",
    noun: "project",
    permission: "project:read",
    mend: { operation: "postProjectsIdSourceRegister", label: "Register again", needs: "project:update", params: byId },
  },
  certificate_failed: { severity: "critical", noun: "certificate", permission: "project:read", mend: renew },
  certificate_expiring: { severity: "warning", noun: "certificate", permission: "project:read", mend: renew },
  own_certificate_expiring: {
    severity: "warning",
    noun: "certificate",
    permission: "project:read",
    mend: {
      operation: "postProjectsProjectIdCertificatesCustom",
      label: "Upload a new one",
      needs: "project:update",
      params: ({ project_id }) => ({ projectId: project_id }),
    },
  },
  domain_elsewhere: {
    severity: "warning",
    noun: "domain",
    permission: "project:read",
    mend: {
      operation: "getProjectsIdCheckNs",
      label: "Check DNS",
      needs: "project:read",
      params: ({ project_id }) => ({ id: project_id }),
    },
  },
  database_failed: { severity: "warning", noun: "database", permission: "server:read" },
  channel_failing: {
    severity: "warning",
    noun: "channel",
    permission: "organization:read",
    mend: {
      operation: "postNotificationChannelsIdTest",
      label: "Send a test",
      needs: "organization:manage",
      params: byId,
    },
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as [KindName, ...KindName[]];
