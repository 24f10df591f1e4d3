import type { ProjectLayout } from "../layout.ts";
import { scriptsBeside } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

// A project's directory, users and units are named by its number, which a restored database gives again, and which another
// installation gives as well. So root keeps a mark for each number, and each preparation and removal of the project compares it first.

/** Which project it is, whatever its number. */
export interface ProjectIdentity {
  /** When its record was made, in microseconds. */
  createdAt: string;
  /** Whether files of its number without a mark are its own: it was on this server before there were marks. */
  mayAdopt: boolean;
}

const markOf = ({ id }: ProjectLayout, { createdAt }: ProjectIdentity): string => `${id} ${createdAt}`;

/** From here on the number is the project's; fails when it is another's. For a step with the prelude. */
export const claimNumber = (layout: ProjectLayout, identity: ProjectIdentity): Script =>
  script("claim.sh", {
    id: layout.id,
    mark_file: layout.mark,
    mark: markOf(layout, identity),
    may_adopt: identity.mayAdopt ? "yes" : "",
    project_directory: layout.directory,
    user: layout.user,
  });

/** Ends the step when the number is another project's here. */
export const unlessAnothers = (layout: ProjectLayout, identity: ProjectIdentity): Script => sh`
  holder=
  may_adopt=${identity.mayAdopt ? "yes" : ""}
  if [ -e ${layout.mark} ]; then read -r holder < ${layout.mark} || true; fi
  if [ "$holder" != ${markOf(layout, identity)} ] && { [ -n "$holder" ] || [ -z "$may_adopt" ]; }; then
    echo "What this server has of the number belongs to another project, and stays."
    exit
  fi`;
