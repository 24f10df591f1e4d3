import { type Step, step } from "../../engine/runs/plan.ts";
import { createDatabase, dropDatabase, namesTaken } from "../../host/databases/databases.ts";
import { loadFrom } from "../../host/databases/dumps.ts";
import { releaseDirectory } from "../../host/layout.ts";
import { claimNumber, type ProjectIdentity } from "../../host/project-mark/mark.ts";
import { needPackages } from "../../host/runner/functions.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptsBeside } from "../../host/script-file.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import type { AppFiles } from "./apps.ts";
import type { MovedDatabase } from "./schema.ts";
import { giveUpHere, markOf, type Transit, transitSecrets, unlessGivenUp } from "./transit.ts";

// The steps of a move on the destination, besides those of every deployment.

const script = scriptsBeside(import.meta.url);

/** The source's address for the destination. */
export interface SourceAddress {
  /** Its name for people. */
  name: string;
  host: string;
  port: number;
}

// An alias for use in commands, since rsync reads the colon in an IPv6 address as the end of a host name.
const sourceAlias = "longshore-source";

/** The file of `transitSecrets.knownHosts`: the key that was pinned at the first contact, and no other. */
export const knownHosts = (hostKey: string): string => `${sourceAlias} ${hostKey}\n`;

// There may be much data to copy.
const copyTimeoutSeconds = 12 * 3600;

export const copying = (key: string, label: string, sentence: string, script: Script): Step =>
  step(key, label, withPrelude(sentence, script), { phase: "copy", timeoutSeconds: copyTimeoutSeconds });

/** The first step of each plan of a move: a plan that arrives too late does nothing. */
export const checkGivenUp = (transit: Transit): Step =>
  step("check-move", "Check that the move continues", unlessGivenUp(transit), { phase: "check", timeoutSeconds: 60 });

const homeMark = "home";

/**
 * Checks that the server has no project with this number, perhaps from another installation of Longshore. Notes the claim, so
 * that a clean-up removes only what the move made.
 */
export const claimHome = (transit: Transit, identity: ProjectIdentity): Step =>
  copying(
    "claim-home",
    "Look for another project of its number",
    "This server could not be looked through.",
    lines(
      sh`
        if [[ -e ${markOf(transit, homeMark)} ]]; then exit; fi
        if [[ -e ${transit.layout.directory} ]] || getent passwd ${transit.layout.user} > /dev/null; then
          fail ${`Another installation of Longshore left a project ${transit.layout.id} on this server, in ${transit.layout.directory}. Remove it there, or move this one elsewhere.`}
        fi`,
      // Before the first file: afterwards a directory without a mark counts as another's.
      claimNumber(transit.layout, identity),
      sh`: > ${markOf(transit, homeMark)}`,
    ),
  );

/** Makes a step run only if the move has made the project's home here. */
export const ifClaimed = (transit: Transit, made: Step): Step => ({
  ...made,
  script: lines(sh`if [[ ! -e ${markOf(transit, homeMark)} ]]; then exit; fi`, made).script,
});

/** Visitors of the destination get the same page as visitors of the source. */
export const showMaintenance = ({ layout }: Transit): Step =>
  step("show-maintenance", "Show the maintenance page", sh`: > ${layout.maintenanceFlag}`, { phase: "prepare" });

export const reachSource = (source: SourceAddress): Step =>
  copying(
    "reach-source",
    "Reach the source",
    "The source could not be asked for the project.",
    lines(
      sh`${needPackages} rsync openssh-client openssl`,
      askSource(source),
      sh`
        from_source ready ||
          fail ${`This server cannot reach ${source.name} by SSH (${source.host}, port ${source.port}). Let it in there, and move the project again.`}
        echo ${`${source.name} lets this server read the project.`}`,
    ),
  );

const marginMb = 300;

/** Checks the disk space before anything is copied. */
export const checkRoom = ({ layout }: Transit, source: SourceAddress): Step =>
  copying(
    "check-room",
    "Check disk space",
    "The free space on this server's disk could not be read.",
    lines(
      askSource(source),
      sh`
        # An estimate: without one, the margin decides.
        size=$(from_source size | head -c 20) || size=0
        [[ $size =~ ^[1-9][0-9]{0,14}$ ]] || size=0
        needed=$((size / 1024 + ${marginMb}))
        free=$(df --block-size=M --output=avail -- ${layout.directory} | tail -n 1 | tr -dc 0-9)
        ((free >= needed)) || fail "This server's disk has $free MB left; the project needs $needed MB."
        echo "$free MB of disk space are free; the project takes $((size / 1024)) MB."`,
    ),
  );

/** `from_source WORDS` runs the source's program. */
export const askSource = ({ host, port }: SourceAddress): Script => sh`
  ssh=(ssh -F /dev/null -i "$LONGSHORE_SECRETS"/${transitSecrets.key} -p ${port} -l root -o BatchMode=yes -o IdentitiesOnly=yes)
  ssh+=(-o ${`HostName=${host}`} -o ${`HostKeyAlias=${sourceAlias}`} -o UserKnownHostsFile="$LONGSHORE_SECRETS"/${transitSecrets.knownHosts})
  ssh+=(-o GlobalKnownHostsFile=/dev/null -o StrictHostKeyChecking=yes -o ConnectTimeout=15 -o ConnectionAttempts=2)
  ssh+=(-o ServerAliveInterval=15 -o ServerAliveCountMax=4 -o LogLevel=ERROR)
  # shellcheck disable=SC2317,SC2329 # rsync calls ssh by itself
  from_source() { "\${ssh[@]}" -- ${sourceAlias} "$@"; }`;

/**
 * Copies the shared files as they are on the source now, and an application's release; deletes files that the source no longer
 * has. Written as the project's user: a symlink in the project could redirect a write made as root.
 */
export const copySharedFiles = ({ layout }: Transit, source: SourceAddress, app?: AppFiles): Step =>
  copying(
    "copy-shared-files",
    "Copy shared files",
    "The shared files could not be copied.",
    lines(
      askSource(source),
      sh`export RSYNC_RSH="\${ssh[*]}"`,
      script("copy-files.sh", { source: sourceAlias, user: layout.user }),
      // The release belongs to the project's user, its parent directory to root.
      app &&
        sh`
          [[ -d ${releaseDirectory(layout, app.release)} ]] ||
            install -d -m 750 -o ${layout.user} -g ${layout.user} ${releaseDirectory(layout, app.release)}
          copy release ${releaseDirectory(layout, app.release)}
          copy downloads ${app.downloads} --exclude='*/'`,
      sh`
        copy sessions ${layout.sessions}
        copy shared ${layout.shared}
        sed -n 's/^Number of files: \\([0-9]*\\).*/\\1 files and directories are as on the source./p' "$scratch/stats"
        sed -n 's/^Number of regular files transferred: \\([0-9]*\\)/\\1 of them were copied./p' "$scratch/stats"`,
    ),
  );

/** Checks that no other database here has the moved names. Notes them, so that a clean-up removes only what the move made. */
export const claimDatabases = (transit: Transit): Step | undefined => {
  const { databases } = transit;
  if (databases.length === 0) return undefined;
  return copying(
    "claim-databases",
    "Look for databases of the same name",
    "The databases of this server could not be looked through.",
    lines(
      ...databases.map(
        (database) => sh`
          if [[ ! -e ${markOf(transit, database.name)} ]]; then
            taken=$(
            ${namesTaken(database)}
            )
            [[ -z $taken ]] || fail ${`The database ${database.name} or its user ${database.username} exists on this server already.`}
            : > ${markOf(transit, database.name)}
          fi`,
      ),
    ),
  );
};

/**
 * Creates the database from scratch, as it is on the source now. On both servers it is read and written as its own user, in a
 * sandbox: nothing in it can gain more rights.
 */
export const copyDatabase = (transit: Transit, source: SourceAddress, database: MovedDatabase): Step =>
  copying(
    `copy-database-${database.name.replaceAll("_", "-")}`,
    `Copy the database ${database.name}`,
    `The database ${database.name} could not be copied.`,
    lines(
      askSource(source),
      sh`[[ -e ${markOf(transit, database.name)} ]] || fail "The database is not this move's."`,
      drop(database),
      createDatabase({ ...markedAs(database), secret: transitSecrets.verifierOf(database), remote: false }),
      loadFrom(
        sh`from_source ${`dump ${database.name}`} < "$LONGSHORE_SECRETS"/${transitSecrets.passwordOf(database)}`,
        {
          ...database,
          password: transitSecrets.passwordOf(database),
        },
      ),
    ),
  );

const drop = (database: MovedDatabase): Script => dropDatabase(markedAs(database), { readers: database.readers });

// A move notes in a file what it may drop, so it ignores the mark of a database.
const markedAs = (database: MovedDatabase) => ({ ...database, mark: "longshore-moved" });

/** Ends the runs of an abandoned move on this server, and prevents further ones. */
export const endRuns = (transit: Pick<Transit, "deploymentId">, runs: readonly number[]): Step =>
  step(
    "end-runs",
    "End what the move was doing",
    lines(
      // First, so that a running step releases its lock.
      ...runs.map((run) => sh`systemctl stop ${`longshore-run-${run}.service`} 2> /dev/null || true`),
      giveUpHere(transit),
      // A run that was let through in between.
      ...runs.map((run) => sh`systemctl stop ${`longshore-run-${run}.service`} 2> /dev/null || true`),
    ),
    { phase: "remove" },
  );

/** Drops the databases that the move brought to a server, or those it took from one. */
export const dropDatabases = (transit: Transit, which: "claimed" | "all"): Step | undefined =>
  transit.databases.length === 0
    ? undefined
    : step(
        "drop-databases",
        "Remove the project's databases",
        withPrelude(
          "The project's databases could not be removed.",
          lines(
            ...transit.databases.map((database) =>
              which === "all"
                ? drop(database)
                : sh`
                  if [[ -e ${markOf(transit, database.name)} ]]; then
                    ${drop(database)}
                    rm -f -- ${markOf(transit, database.name)}
                  fi`,
            ),
          ),
        ),
        { phase: "remove" },
      );
