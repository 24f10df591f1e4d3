# shellcheck shell=bash
# uses: stop.sh
# given: release_directory parents chosen
# Serves the directory `chosen` of a release. `parents`: the way from .longshore to the working directory.
inside=$(realpath -- "$chosen") release=$(realpath -- "$release_directory")
if [[ $inside/ != "$release"/* ]]; then stop "The directory to serve, $chosen, lies outside of the release."; fi
ln -sfn -- "$parents$chosen" "$release_directory/.longshore/public"
[[ $chosen = . ]] || echo "Serving the directory $chosen."
