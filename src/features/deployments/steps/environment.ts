import { type Step, step } from "../../../engine/plan.ts";
import { phpEnvironment, programsOf } from "../../../host/php/pool.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { hasItsPhp } from "./php.ts";
import { environmentOf, rememberedOf, type Work } from "./work.ts";

/**
 * PHP-FPM reads the environment variables at start, so it is restarted if they or its version changed; its socket queues requests
 * during the restart. This happens before the release is live, so that it is checked with the new variables.
 */
export const handEnvironment = (work: Work): Step =>
  step(
    "hand-environment",
    "Hand the environment variables to PHP",
    lines(
      hasItsPhp(work),
      digests(work),
      sh`
        if [[ ! -e $remembered ]]; then
          former=$(readlink "$link") || former=-
          echo "$former $had" > "$remembered.new"
          mv -T "$remembered.new" "$remembered"
        fi
        point_to ${work.release}
        if [[ $has = "$had" ]]; then exit; fi
        systemctl try-restart ${work.layout.phpService}
        # At the end: a repeated step starts it again rather than not at all.
        keep "$has"
        echo "PHP has the version and the environment variables of this release."`,
    ),
    { phase: "activate", timeoutSeconds: 120, undo: takeBack(work) },
  );

// Digests of the variables that PHP was started with, and of the release's; `none` without variables. Includes the program if its
// version is not the server's.
const digests = (work: Work): Script => sh`
  link=${phpEnvironment(work.layout)} note=${work.layout.state}/php-environment remembered=${handedOf(work)}
  had=none has=none
  if [[ -e $note ]]; then read -r had < "$note"; fi
  if [[ -e ${environmentOf(work)}/environment-exports ]]; then
    read -r has _ < <(sha256sum < ${environmentOf(work)}/environment-exports)
  fi
  has+=$(readlink -- ${programsOf(environmentOf(work))}/php-fpm || true)
  point_to() {
    ln -sfn -- "$1" "$link.new"
    mv -T -- "$link.new" "$link"
  }
  keep() {
    echo "$1" > "$note.new"
    mv -T "$note.new" "$note"
  }`;

/** The previous state, for the undo of a deployment under way. */
export const handedOf = (work: Work): string => `${rememberedOf(work)}-environment`;

const takeBack = (work: Work): Script =>
  lines(
    digests(work),
    sh`
      rm -f -- "$remembered.new" "$link.new" "$note.new"
      if [[ ! -e $remembered ]]; then exit 0; fi
      read -r former first < "$remembered"
      if [[ $former = - ]]; then rm -f -- "$link"; else point_to "$former"; fi
      if [[ $has != "$first" ]]; then
        systemctl try-restart ${work.layout.phpService} || true
        keep "$first"
      fi
      rm -f -- "$remembered"`,
  );
