# shellcheck shell=bash
# given: base manager
# The start command that the package manager requires, if any; with the functions of choose-start.sh.
if has_script start; then
  case $manager in
    bun) start_with "bun run start" "the packages are Bun's" ;;
    yarn) [[ ! -e $base/.pnp.cjs ]] || start_with "yarn start" "Yarn has put packages where only it finds them (Plug'n'Play)" ;;
  esac
elif [[ $manager = yarn && -e $base/.pnp.cjs && -e server.js ]]; then
  start_with "yarn node server.js" "package.json has no start script, and Yarn has put packages where only it finds them (Plug'n'Play)"
elif [[ $manager = bun ]]; then
  for file in server.ts index.ts src/index.ts index.js; do
    [[ ! -e $file || -e server.js ]] || start_with "bun $file" "package.json has no start script, and the packages are Bun's"
  done
fi
