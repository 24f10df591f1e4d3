import { releaseRef } from "../../../host/git/git.ts";
import { type Script, sh } from "../../../host/sh.ts";
import { environmentOf, releaseOf, type Work } from "./work.ts";

/**
 * Around the default build of a PHP project's frontend, which is a function `build_frontend`: compares the inputs of the live
 * release's build with those of this one, and copies the result if they are equal.
 *
 * All files of the repository count except tests, migrations, documents, and PHP outside of templates, unless the frontend's
 * settings show that it reads PHP. With Tailwind 4, which scans every file of the repository for class names, all files count. So
 * do the environment, the version of Node and the directory.
 */
export const reuseFrontend = (work: Work): Script => sh`
  reads_php='' reads_all=''
  shopt -s nullglob
  settings=(package.json vite.config.* webpack.*.js tailwind.config.* postcss.config.*)
  if grep -qsE 'wayfinder|ziggy|artisan|(app|src|routes|config|modules)/[^"'"'"']*\\.php' "\${settings[@]}" ||
    grep -qsE 'wayfinder|ziggy' composer.json; then reads_php=yes; fi
  shopt -u nullglob
  # A version that does not begin with a number below 4, and packages that there are since 4.
  if grep -qsE '"@tailwindcss/(vite|postcss|cli|webpack)"|"tailwindcss"[[:space:]]*:[[:space:]]*"([^"0-9]*([4-9]|[1-3][0-9])|[^"0-9]+")' package.json
  then reads_all=yes; fi
  sources() {
    git --git-dir=${work.layout.mirror} ls-tree -r ${releaseRef(work.release)} | awk -F '\\t' -v php="$reads_php" -v all="$reads_all" '
      all { print; next }
      $2 ~ /^"?(tests|docs|database)\\// || $2 ~ /^[^\\/]*\\.md$/ { next }
      php == "" && $2 ~ /\\.php"?$/ && $2 !~ /(^|\\/|")(resources|templates|assets|views)\\// { next }
      { print }'
  }
  frontend_key() {
    {
      printf '%s\\n' ${work.project.directory} "$MACHTYPE" "$manager"
      node --version
      cat -- ${environmentOf(work)}/environment-exports .env 2> /dev/null || true
      sources
    } | sha256sum
  }
  own=${releaseOf(work)}/.longshore
  reuse() { # a live release that was built from the same
    local live from count
    live=$(readlink -e ${work.layout.current}) || return 1
    [[ $live != ${releaseOf(work)} && -s $live/.longshore/frontend-files ]] || return 1
    [[ $(< "$live/.longshore/frontend-key") = "$key" ]] || return 1
    from=$live/${work.project.directory}
    (cd -P -- "$from" && xargs -0 cp -a --reflink=auto --parents -t ${releaseOf(work)}/${work.project.directory} --) \\
      < "$live/.longshore/frontend-files" || return 1
    cp -- "$live/.longshore/frontend-files" "$live/.longshore/frontend-key" "$own/"
    count=$(tr -cd '\\0' < "$own/frontend-files" | wc -c)
    echo "Nothing that the frontend is built from has changed since release \${live##*/}: its $count built files are used again."
  }
  key=$(GIT_CONFIG_GLOBAL=/dev/null frontend_key)
  if ${work.project.alwaysRebuildFrontend ? "false" : "reuse"}; then exit; fi
  touch "$own/frontend-begun"
  build_frontend
  find . \\( -path ./node_modules -o -path ./.longshore -o -path ./vendor \\) -prune -o \\
    \\( -type f -o -type l \\) -cnewer "$own/frontend-begun" -print0 > "$own/frontend-files"
  echo "$key" > "$own/frontend-key"`;
