import { scriptsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { oneAtATime } from "./lock.ts";

const script = scriptsBeside(import.meta.url);

// Bash functions that steps may use. A step contains only the files and templates with functions that it names, so that it can be
// read, run and checked alone.
const parts: readonly Script[] = [
  // Returns a result to the control plane.
  sh`
    fact() { printf '%s %s\\n' "$1" "$2" >> "$LONGSHORE_FACTS"; }`,
  sh`
    in_container() { systemd-detect-virt --quiet --container; }`,
  sh`
    php_version() { dpkg-query -W -f '\${Depends}' php-fpm | grep -oP 'php\\K[0-9]+\\.[0-9]+(?=-fpm)' | head -n 1; }`,
  sh`
    lock_nginx() {
      ${oneAtATime}
    }`,
  script("put-file.sh"),
  script("put-link.sh"),
  script("put-nginx.sh"),
  script("keep-running.sh"),
  script("apply-changes.sh"),
  script("ssh-ports.sh"),
  script("packages.sh"),
];

const functions = parts.map((part) => {
  const names = Array.from(part.script.matchAll(/^(\w+)\(\)/gm), ([, name]) => name);
  return { part, pattern: new RegExp(`\\b(?:${names.join("|")})\\b(?!-)`) };
});

/**
 * A step's script with what it needs around it: the functions it names, `fail SENTENCE`, and a sentence that is printed
 * last when the script fails for any other reason. `scratch`, when the script sets it, is removed at the end.
 */
export const withPrelude = (sentence: string, body: Script): Script =>
  lines(script("prelude.sh", { failure: sentence }), ...functionsFor(body), body);

// Functions may need others.
function functionsFor(body: Script): Script[] {
  const needed = new Set<Script>();
  const add = ({ script }: Script): void => {
    const code = script.replace(/^ *#.*$/gm, "");
    for (const { part, pattern } of functions) {
      if (needed.has(part) || !pattern.test(code)) continue;
      needed.add(part);
      add(part);
    }
  };
  add(body);
  return parts.filter((part) => needed.has(part));
}
