import { type Step, step } from "../../engine/runs/plan.ts";
import { namedDatabases } from "../../host/databases/dumps.ts";
import { jobUnits, type ProjectLayout, releaseDirectory, unitPrefix } from "../../host/layout.ts";
import { needPackages, putFile } from "../../host/runner/functions.ts";
import { exclusively } from "../../host/runner/lock.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptsBeside } from "../../host/script-file.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { holdKeys, keysDirectory, takeOutKeys } from "../servers/access.ts";
import type { AppFiles } from "./apps.ts";
import { forcedCommandPath, giveUpHere, noSuchFile, type Transit, unlessGivenUp } from "./transit.ts";

// The steps of a move on the source.

const script = scriptsBeside(import.meta.url);

const authorizedKeys = `${keysDirectory}/authorized_keys`;
/** The comment of a move's key. */
export const keyName = ({ deploymentId }: Pick<Transit, "deploymentId">): string => `longshore-move-${deploymentId}`;

/**
 * Authorizes the destination's key for one program. As the project's user, it outputs the shared files, the databases, and for an
 * application the live release. sshd rejects the key after some days, if it was not removed before.
 */
export const authorizeDestination = (transit: Transit, publicKey: string, app?: AppFiles): Step =>
  step(
    "authorize-destination",
    "Let the destination read the project",
    withPrelude(
      "The destination could not be authorized.",
      lines(
        unlessGivenUp(transit),
        holdKeys(),
        sh`
          ${needPackages} rsync
          [[ -d ${transit.layout.shared} ]] || fail "The project is not on this server."
          ${putFile} ${forcedCommandPath(transit)} 0700 ${forcedCommand(transit, app).script}
          if grep -qF -- ${publicKey} ${authorizedKeys}; then exit; fi
          umask 077
          cp -p ${authorizedKeys} ${authorizedKeys}.longshore
          {
            cat ${authorizedKeys}
            printf '\\n%s,%s="%s",%s="%s" %s\\n' restrict expiry-time "$(date -d '+5 days' +%Y%m%d%H%M)" \\
              command ${forcedCommandPath(transit)} ${publicKey}
          } | grep . > ${authorizedKeys}.longshore
          mv -T ${authorizedKeys}.longshore ${authorizedKeys}`,
      ),
    ),
    { phase: "open", timeoutSeconds: 900 },
  );

/**
 * The requests that the key allows. Of its input, only rsync's flags, checked letter by letter, and a certificate's number become
 * part of a command. Root's files are listed here one by one.
 */
export function forcedCommand({ layout, databases }: Transit, app?: AppFiles): Script {
  return lines(
    sh`
      #!/bin/bash
      # Longshore: the files that a move's destination may read on this server.`,
    {
      script: script("forced-command.sh", {
        ...namedDatabases(databases),
        user: layout.user,
        shared: layout.shared,
        sessions: layout.sessions,
        release: app ? releaseDirectory(layout, app.release) : "",
        downloads: app?.downloads ?? "",
        known_hosts: layout.knownHosts,
        deploy_key: layout.deployKey,
        certificates: layout.certificates,
        no_such_file: noSuchFile,
      }).script,
    },
  );
}

/**
 * After this, nothing is written: visitors see the maintenance page, requests under way are answered, and all processes of the
 * project's user have ended, and stay so after a reboot. `release` restores all of it.
 */
export const holdSource = (transit: Transit): Step => {
  const { layout, ports } = transit;
  return step(
    "hold",
    "Hold the project",
    withPrelude(
      "The project could not be held on its server.",
      lines(
        unlessGivenUp(transit),
        exclusively(`jobs-${layout.id}`, 7),
        script("hold.sh", {
          ...heldPaths(layout),
          state: layout.state,
          unit_files: layout.units,
          jobs: jobUnits(layout),
          php: layout.phpSocketUnit,
          php_service: layout.phpService,
          php_socket: layout.phpSocket,
          user: layout.user,
          ports,
        }),
      ),
    ),
    { phase: "hold", timeoutSeconds: 180 },
  );
};

// A project's processes have the names that src/host gives them.
const heldPaths = (layout: ProjectLayout) => ({
  held: layout.held,
  maintenance_flag: layout.maintenanceFlag,
  crontab: layout.crontab,
  wants: layout.unitWants,
  site: unitPrefix(layout),
});

/**
 * Makes the project serve as before, and revokes the destination's access. Visitors see the site again when its process responds,
 * or after a minute in any case.
 */
export const releaseSource = (transit: Transit): Step =>
  step(
    "release",
    "Let the project serve as before",
    withPrelude(
      "The project could not be put back to serving.",
      lines(giveUpHere(transit), revokeAccess(transit), script("release.sh", heldPaths(transit.layout))),
    ),
    { phase: "release", timeoutSeconds: 300 },
  );

// Removes the destination's key, and its program.
const revokeAccess = (transit: Transit): Script =>
  lines(holdKeys(), takeOutKeys(["-e", ` ${keyName(transit)}$`]), sh`rm -f -- ${forcedCommandPath(transit)}`);

/** Revokes the destination's access, and prevents further steps of the move on this server. */
export const revokeDestination = (transit: Transit): Step =>
  step(
    "revoke-destination",
    "Revoke the access of the destination",
    lines(giveUpHere(transit), revokeAccess(transit)),
    { phase: "remove" },
  );
