/**
 * What a server is to a project. `own`: the project's server. `replica`: a further one behind its load balancer. `arriving`: the
 * destination of a move. `leaving`: the project is removed from there as soon as nothing needs it.
 */
export type PlacementRole = "own" | "replica" | "arriving" | "leaving";

/** Identifies a placement: a project on a server. */
export interface PlacementRef {
  projectId: number;
  serverId: number;
}

/** A project on a server, as far as it is the same for each kind of project. */
export interface Placement {
  server_id: number;
  role: PlacementRole;
  port_pair: number | null;
  /** Whether files of the project's number without a mark are its own there. */
  may_adopt: boolean;
}

/** A row of `placements`, as jobs need it. */
export interface PlacementRow extends Placement {
  /** Whether the server has the project's site, user and folders. */
  is_prepared: boolean;
  live_port: number | null;
  live_deployment_id: number | null;
  live_release_id: number | null;
}

/** A server that a project has left in a move, and that its visitors may still find. */
export interface ForwardingRow {
  project_id: number;
  project_created_at: string;
  /** Null once the server was deleted. */
  server_id: number | null;
  /** Whether it forwards visitors; if not, they get a notice. */
  passes_on: boolean;
  /** The certificate that stays there. */
  certificate: { version: number; names: string[]; offers_ocsp: boolean } | null;
  until: string;
}
