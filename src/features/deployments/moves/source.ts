import { type Step, step } from "../../../engine/runs/plan.ts";
import { jobUnits, releaseDirectory, unitPrefix } from "../../../host/layout.ts";
import { exclusively } from "../../../host/runner/lock.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { holdKeys, keysDirectory, takeOutKeys } from "../../servers/access.ts";
import type { AppFiles } from "./apps.ts";
import { handFile, handOutKeys } from "./keys.ts";
import type { MovedDatabase } from "./schema.ts";
import { forcedCommandPath, giveUpHere, type Transit, unlessGivenUp } from "./transit.ts";

// The steps of a move on the source.

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
          need_packages rsync
          [[ -d ${transit.layout.shared} ]] || fail "The project is not on this server."
          put_file ${forcedCommandPath(transit)} 0700 ${forcedCommand(transit, app).script}
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
export const forcedCommand = (transit: Transit, app?: AppFiles): Script => {
  const { layout, databases } = transit;
  const asUser = [
    "setpriv",
    `--reuid=${layout.user}`,
    `--regid=${layout.user}`,
    "--init-groups",
    "--no-new-privs",
    "--",
  ];
  return lines(
    sh`
      #!/bin/bash
      # Longshore: the files that a move's destination may read on this server.
      set -euo pipefail
      export LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
      read -ra words <<< "\${SSH_ORIGINAL_COMMAND-}"
      hand_out() { # DIRECTORY
        # The destination's input; -L would follow links out of the directory, -s take further options from there.
        [[ \${words[3]} =~ ^-[lHtpr]+e\\.[a-zA-Z]*$ ]] || exit 65
        # A directory that is not there is handed out as an empty one.
        ${asUser} mkdir -p -- "$1"
        exec ${asUser} rsync --server --sender "\${words[3]}" . "$1"
      }
      ${handFile}
      case "\${words[*]}" in
        ready) exit 0 ;;
        size) ${sizeOf(transit, asUser, app)} ;;
        ${handOutKeys(layout)}
        "rsync --server --sender -"*" . shared/") hand_out ${layout.shared}/ ;;
        "rsync --server --sender -"*" . sessions/") hand_out ${layout.sessions}/ ;;`,
    app &&
      sh`
        "rsync --server --sender -"*" . release/") hand_out ${releaseDirectory(layout, app.release)}/ ;;
        "rsync --server --sender -"*" . downloads/") hand_out ${app.downloads}/ ;;`,
    ...databases.map(
      (database) => sh`
        ${`dump ${database.name}`}) ${dumpOf(database)} ;;`,
    ),
    sh`
      esac
      exit 65
      `,
  );
};

// The project's approximate size in kilobytes, for the check of the destination's disk space.
const sizeOf = ({ layout, databases }: Transit, asUser: readonly string[], app: AppFiles | undefined): Script => {
  const directories = [layout.shared, layout.sessions, ...(app ? [releaseDirectory(layout, app.release)] : [])];
  return lines(
    sh`
      size() { tail -n 1 | tr -dc 0-9; }
      total=$({ ${asUser} du --summarize --block-size=1K --total -- ${directories} || true; } | cut -f 1 | size)`,
    ...databases.map((database) => sh`total=$((total + $(${databaseSize(database)} | size)))`),
    sh`
      echo "$total"
      exit 0`,
  );
};

const databaseSize = ({ engine, name }: MovedDatabase): Script =>
  engine === "mariadb"
    ? sh`mariadb --batch --skip-column-names <<< ${`SELECT COALESCE(SUM(data_length + index_length), 0) DIV 1024 FROM information_schema.tables WHERE table_schema = '${name}';`}`
    : sh`(cd / && PGOPTIONS='-c search_path=pg_catalog' runuser -u postgres -- psql -qAt -d postgres <<< ${`SELECT pg_database_size('${name}') / 1024;`})`;

// Without comments: a table's name in one could contain a line break with a command after it.
const dumpOf = ({ engine, name }: MovedDatabase): Script =>
  engine === "mariadb"
    ? sh`exec mariadb-dump --single-transaction --quick --skip-comments --routines --triggers --events --hex-blob -- ${name}`
    : sh`cd / && exec runuser -u postgres -- pg_dump --format=custom --no-owner --no-privileges --compress=1 -- ${name}`;

/**
 * After this, nothing is written: visitors see the maintenance page, requests under way are answered, and all processes of the
 * project's user have ended, and stay so after a reboot. `release` restores all of it.
 */
export const holdSource = (transit: Transit): Step => {
  const { layout } = transit;
  return step(
    "hold",
    "Hold the project",
    withPrelude(
      "The project could not be held on its server.",
      lines(
        unlessGivenUp(transit),
        heldNames(transit),
        sh`
          ${exclusively(`jobs-${layout.id}`, 7)}
          # It was deleted meanwhile.
          [[ -d ${layout.state} ]] || fail "The project is not on this server."
          install -d -m 700 "$held"
          if [[ ! -e ${layout.maintenanceFlag} ]]; then
            : > "$held/page"
            : > ${layout.maintenanceFlag}
          fi
          if [[ -e $crontab ]]; then mv -T "$crontab" "$held/crontab"; fi
          # Ten seconds for requests under way. A request that nginx took an instant ago may not have arrived yet.
          sleep 0.2
          for ((tries = 0; tries < 100; tries++)); do
            if ! is_answering; then break; fi
            sleep 0.1
          done
          ((tries < 100)) || echo "There still are connections; they are ended."
          shopt -s nullglob
          for link in "$wants/$site"*.service "$wants/$jobs"*.service "$wants/$php"; do
            [[ ! -L $link ]] || mv -t "$held" -- "$link"
          done
          systemctl stop "$site*.service" "$jobs*.service"
          if [[ -e ${layout.units}/$php ]]; then systemctl stop "$php" ${layout.phpService}; fi
          for ((tries = 0; tries < 250; tries++)); do
            pkill -KILL -u ${layout.user} || break
            sleep 0.02
          done
          echo "Visitors see the maintenance page, and nothing of the project runs."`,
      ),
    ),
    { phase: "hold", timeoutSeconds: 180 },
  );
};

// A project's processes and jobs have the names that src/host gives them.
const heldNames = (transit: Transit): Script => {
  const { layout, ports } = transit;
  return sh`
    # shellcheck disable=SC2034 # a release does not need all of them
    held=${layout.held} wants=${layout.unitWants} site=${unitPrefix(layout)} jobs=${jobUnits(layout)} php=${layout.phpSocketUnit}
    crontab=${layout.crontab} ports=(${ports})
    # shellcheck disable=SC2317,SC2329 # not every script that holds or releases asks
    is_answering() {
      local port
      for port in "\${ports[@]}"; do [[ -z $(ss -Htn state established "( sport = :$port )") ]] || return 0; done
      [[ -n $(ss -Hx state established src ${layout.phpSocket}) ]]
    }`;
};

/**
 * Makes the project serve as before, and revokes the destination's access. Visitors see the site again when its process responds,
 * or after a minute in any case.
 */
export const releaseSource = (transit: Transit): Step => {
  const { layout } = transit;
  return step(
    "release",
    "Let the project serve as before",
    withPrelude(
      "The project could not be put back to serving.",
      lines(
        giveUpHere(transit),
        revokeAccess(transit),
        heldNames(transit),
        sh`
          if [[ ! -d $held ]]; then
            echo "The project was not held."
            exit
          fi
          is_up() {
            local unit
            for unit in "\${units[@]}"; do
              [[ $unit == "$site"*.service ]] || continue
              unit=\${unit#"$site"}
              [[ -n $(ss -Hltn "sport = :\${unit%.service}") ]] || return 1
            done
          }
          shopt -s nullglob
          units=()
          for link in "$held"/*.service "$held"/*.socket; do
            units+=("\${link##*/}")
            # The link stays until the end, so that a repetition starts the unit too.
            cp -P -- "$link" "$wants/"
          done
          # systemd retries a unit that does not start now: the site is not kept from its visitors for it.
          if ((\${#units[@]})); then systemctl start "\${units[@]}" || echo "Not all of its processes have started."; fi
          if [[ -e $held/crontab ]]; then cp -p "$held/crontab" "$crontab.new" && mv -T "$crontab.new" "$crontab"; fi
          for ((tries = 0; tries < 600; tries++)); do
            if is_up; then break; fi
            sleep 0.1
          done
          if [[ -e $held/page ]]; then rm -f -- ${layout.maintenanceFlag}; fi
          rm -rf -- "$held"
          echo "The project serves as before."`,
      ),
    ),
    { phase: "release", timeoutSeconds: 300 },
  );
};

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
