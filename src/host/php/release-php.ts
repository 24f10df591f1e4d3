import { readFileSync } from "node:fs";
import type { ProjectLayout } from "../layout.ts";
import { evaluate, serversNode } from "../node/evaluate.ts";
import { type Script, sh } from "../sh.ts";
import { serversOwnPhp } from "./choose-php.ts";
import { availablePhp } from "./php-packages.ts";
import type { PhpPackages } from "./php-versions.ts";

const chooser = `${readFileSync(new URL("choose-php.ts", import.meta.url), "utf8")}\nmain();\n`;

// More than a composer.json has.
const longestComposer = 1_000_000;

/**
 * Puts the version of PHP for a release into `version`, and the reason into `why`, by the composer.json at `path` in the mirror
 * (`<ref>:<path>`); needs `as_git`, and the server's own version in `own`. Processes without root's rights read and evaluate the
 * file (choose-php.ts); root accepts one of the versions that there are.
 */
export const choosePhpByComposer = (layout: ProjectLayout, path: string, packages: PhpPackages): Script => sh`
  choose_by_composer() {
    local described object size answer
    version=$own why=${serversOwnPhp}
    described=$(printf '%s\\n' ${path} | as_git cat-file --follow-symlinks --batch-check='%(objecttype) %(objectname) %(objectsize)')
    # Without the file, and for a link that leads nowhere inside of the commit, it is something else.
    [[ $described =~ ^blob\\ ([0-9a-f]{40,64})\\ ([0-9]{1,15})$ ]] || return 0
    object=\${BASH_REMATCH[1]} size=\${BASH_REMATCH[2]}
    why="it is the server's own. composer.json could not be evaluated"
    if ((size > ${longestComposer})) || [[ ! -x ${serversNode} ]]; then return; fi
    ${availablePhp(packages)}
    mapfile -t answer < <(
      cd /
      as_git cat-file blob "$object" | ${evaluate(layout, chooser)} \\
        "$(dpkg-query -W -f '\${Version}' "php$own-fpm" | grep -oE '[0-9]+[.][0-9]+[.][0-9]+' | head -n 1)" \\
        "\${versions[@]}" | head -c 4000
    )
    if [[ \${answer[1]-} && " $own \${versions[*]} " = *" \${answer[0]} "* ]]; then version=\${answer[0]} why=\${answer[1]}; fi
  }
  choose_by_composer`;
