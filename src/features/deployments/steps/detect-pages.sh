# shellcheck shell=bash
# given: release_directory
# Recognizes a release of several pages.

has_frame() {
  head -c 1M index.html | tr '\0\n' '  ' |
    grep -qE '<(div|main)( [^>]*)? id=["'"'"']?(root|app|react-root|svelte|q-app|__nuxt|__next)["'"'"']?[^>]*>( |<!--[^>]*-->)*</|<[a-z]+-root[^>]*>( |<!--[^>]*-->)*</'
}
is_application() (
  cd -P -- "$release_directory/.longshore/public" || exit
  [[ ! -e 200.html && ! -e __spa-fallback.html ]] || exit 0
  if has_frame; then exit 0; fi
  [[ ! $(find . -name '*.html' ! -path ./index.html ! -path './.*' -print -quit) ]]
)
if is_application; then rm -f -- "$release_directory/.longshore/pages"
else : > "$release_directory/.longshore/pages"; fi
