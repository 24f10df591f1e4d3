# shellcheck shell=bash disable=SC2034
# uses: stop.sh, managers.sh
# given: release_directory nodes
# Functions that find the lock file to use, and with it the package manager. `nodes`: the directory of all versions of Node.

export CI=true npm_config_fund=false npm_config_audit=false
# The server's own Node, which can do what these functions need whatever the release asks for.
own_node=$nodes/current/bin/node
if [[ ! -x $own_node ]]; then own_node=node; fi
# About the content `it` of a JSON file, and `word`. Text that is looked for would also be found where it means something else.
holds() { # FILE EXPRESSION [WORD]
  local code=0
  [[ -e $1 ]] || return 1
  command -v node > /dev/null || stop "Node is not installed on this server, and ${1##*/} needs it."
  "$own_node" -e '
    const [file, expression, word] = process.argv.slice(1);
    const it = JSON.parse(fs.readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
    process.exitCode = Function("it", "word", "return " + expression)(it ?? {}, word) ? 0 : 3;
  ' -- "$1" "$2" "${3-}" || code=$?
  case $code in
    0) ;;
    3) return 1 ;;
    *) stop "${1##*/} is not the JSON that it should be; the reason is above." ;;
  esac
}
has_script() { holds package.json 'String(it.scripts?.[word] ?? "").trim() !== ""' "$1"; }
lock_in() { # DIRECTORY
  manager=npm run=(npm ci --include=dev)
  if [[ -e $1/pnpm-lock.yaml ]]; then manager=pnpm lock=pnpm-lock.yaml run=(pnpm install --frozen-lockfile --prod=false)
  elif [[ -e $1/yarn.lock ]]; then
    manager=yarn lock=yarn.lock
    if [[ -e $1/.yarnrc.yml ]] || grep -qs '^__metadata:' "$1/yarn.lock"; then run=(yarn install --immutable)
    else run=(yarn install --frozen-lockfile --production=false); fi
  elif [[ -e $1/package-lock.json ]]; then lock='package-lock.json'
  elif [[ -e $1/npm-shrinkwrap.json ]]; then lock=npm-shrinkwrap.json
  elif [[ -e $1/bun.lock ]]; then manager=bun lock=bun.lock run=(bun install --frozen-lockfile)
  elif [[ -e $1/bun.lockb ]]; then manager=bun lock=bun.lockb run=(bun install --frozen-lockfile)
  else return 1; fi
}
is_workspace() { # OF PATH
  case $manager in
    pnpm) grep -qxF -e "  $2:" -e "  '$2':" -- "$1/$lock" ;;
    npm) holds "$1/$lock" 'it.packages?.[word] !== undefined' "$2" ;;
    yarn | bun) holds "$1/package.json" '[it.workspaces?.packages ?? it.workspaces ?? []].flat().some((each) => path.matchesGlob(word, each.replace(/^[.][/]|[/]$/g, "")))' "$2" ;;
  esac
}
pick_manager() {
  local at=$PWD
  top=$(cd -P -- "$release_directory" && pwd)
  while :; do
    if lock_in "$at" && { [[ $at = "$PWD" ]] || is_workspace "$at" "${PWD#"$at/"}"; }; then
      base=$at
      return
    fi
    [[ $at = "$top"/* ]] || break
    at=${at%/*}
  done
  base=$PWD lock='' manager=''
  [[ ! -e package.json ]] || manager=npm run=(npm install --include=dev --no-package-lock)
}
need_manager() {
  command -v node > /dev/null || stop "Node is not installed on this server, and package.json needs it."
  fetch_manager
  command -v "$manager" > /dev/null ||
    stop "The project has a ${lock:-package.json}, but $manager is not installed on this server. Install it, or set an install command of your own."
}
