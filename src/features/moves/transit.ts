import { type ProjectLayout, serverPaths } from "../../host/layout.ts";
import { type Script, sh } from "../../host/sh.ts";
import type { MovedDatabase } from "./schema.ts";

/** The input of a move's steps on one of its servers. */
export interface Transit {
  deploymentId: number;
  layout: ProjectLayout;
  /** For a Node project: its ports on that server. */
  ports: readonly number[];
  databases: readonly MovedDatabase[];
}

/** Names of the files in `$LONGSHORE_SECRETS` of the runs that copy. */
export const transitSecrets = {
  key: "move_key",
  knownHosts: "move_known_hosts",
  passwordOf: ({ name }: Pick<MovedDatabase, "name">): string => `move_database_${name}`,
  /** The verifier of the password. */
  verifierOf: ({ name }: Pick<MovedDatabase, "name">): string => `move_verifier_${name}`,
} as const;

/** Exit code of the source's program if the file does not exist. */
export const noSuchFile = 66;

const marks = "/var/lib/longshore/moves";

/** Root's notes about a move on a server. They outlive the project's directory. */
export const markOf = ({ deploymentId }: Pick<Transit, "deploymentId">, name: string): string =>
  `${marks}/${deploymentId}-${name}`;

/**
 * The rest of the script holds the move's lock on this server, and ends at once if the move was abandoned. A plan may arrive
 * after that, and its changes would never be undone.
 */
export const unlessGivenUp = (transit: Pick<Transit, "deploymentId">): Script => sh`
  install -d -m 700 ${marks}
  exec 8> ${markOf(transit, "lock")}
  flock 8
  if [[ -e ${markOf(transit, "given-up")} ]]; then
    echo "The move was given up." >&2
    exit 1
  fi`;

/** After this, no plan of the move changes anything on this server. Waits for the end of a running step. */
export const giveUpHere = (transit: Pick<Transit, "deploymentId">): Script => sh`
  install -d -m 700 ${marks}
  exec 8> ${markOf(transit, "lock")}
  flock 8
  : > ${markOf(transit, "given-up")}
  find ${marks} -type f -mtime +90 -delete`;

/** The program that a move's key runs on the source. */
export const forcedCommandPath = ({ deploymentId }: Pick<Transit, "deploymentId">): string =>
  `${serverPaths.libraries}/move-${deploymentId}`;
