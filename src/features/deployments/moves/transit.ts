import { type ProjectLayout, serverPaths } from "../../../host/layout.ts";
import { type Script, sh } from "../../../host/sh.ts";
import type { MovedDatabase } from "./schema.ts";

/** One move as its steps on one of the servers see it. */
export interface Transit {
  deploymentId: number;
  layout: ProjectLayout;
  /** For a Node project: those on that server. */
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

/** How the source's program ends when there is no such file. */
export const noSuchFile = 66;

const marks = "/var/lib/longshore/moves";

/** Root's own notes about a move on a server. They outlive the project's directory. */
export const markOf = ({ deploymentId }: Pick<Transit, "deploymentId">, name: string): string =>
  `${marks}/${deploymentId}-${name}`;

/**
 * The rest of the script holds this server's lock of the move, and ends at once when the move was given up. A plan may still arrive
 * after that: nothing would undo what it does.
 */
export const unlessGivenUp = (transit: Pick<Transit, "deploymentId">): Script => sh`
  install -d -m 700 ${marks}
  exec 8> ${markOf(transit, "lock")}
  flock 8
  if [[ -e ${markOf(transit, "given-up")} ]]; then
    echo "The move was given up." >&2
    exit 1
  fi`;

/** From here on no plan of the move does anything on this server. Waits for the step that is about to. */
export const giveUpHere = (transit: Pick<Transit, "deploymentId">): Script => sh`
  install -d -m 700 ${marks}
  exec 8> ${markOf(transit, "lock")}
  flock 8
  : > ${markOf(transit, "given-up")}
  find ${marks} -type f -mtime +90 -delete`;

/** The program that a move's key runs on the source. */
export const doorOf = ({ deploymentId }: Pick<Transit, "deploymentId">): string =>
  `${serverPaths.libraries}/move-${deploymentId}`;
