# shellcheck shell=bash
# uses: stop.sh, kept-packages.sh
# given: release_directory package_note
[[ -d $release_directory ]] || exit 0
packages_of "$release_directory" || exit 0
[[ ! -e $packages ]] || exit 0
own=$packages wanted=$key isExact=yes
if ! from=$(holder_of "$wanted"); then
  # A process wrote into them; it also ran with them.
  from='' isExact=''
  for release in "$releases_directory"/*/; do
    if packages_of "${release%/}" && [[ $key = "$wanted" && -d $packages ]]; then from=$packages; fi
  done
fi
[[ $from ]] || stop "The packages of the release are no longer on the server. Deploy its commit again."
rm -rf -- "$own.new"
cp -a --reflink=auto -- "$from" "$own.new" || { rm -rf -- "$own.new"; stop "The packages of the release could not be copied."; }
mv -T -- "$own.new" "$own"
[[ ! $isExact ]] || touch -- "$release_directory/$package_note"
echo "Copied the packages that were installed for the same lock file."
