# shellcheck shell=bash disable=SC2016,SC2034
# given: tool directory archive work version
wp() { php -d memory_limit=512M "$tool" --path="$directory" "$@"; }

# WordPress's updater needs a zip archive; the known checksum is that of the tar archive.
rm -rf -- "$work"
mkdir -p -- "$work/files"
scratch=$work
tar --extract --gzip --no-same-owner --file="$archive" --directory="$work/files"
php -d memory_limit=512M -r '
  [, $root, $target] = $argv;
  $zip = new ZipArchive();
  $zip->open($target, ZipArchive::CREATE | ZipArchive::OVERWRITE) === true || exit(1);
  $files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS));
  foreach ($files as $file) {
    $name = substr($file->getPathname(), strlen($root) + 1);
    $file->isFile() && ($zip->addFile($file->getPathname(), $name) || exit(1));
    $zip->setCompressionName($name, ZipArchive::CM_STORE);
  }
  exit($zip->close() ? 0 : 1);' "$work/files" "$work/wordpress.zip" || fail "The archive could not be repacked for WordPress's updater."
wp core update "$work/wordpress.zip" --version="$version"
[[ ! -e $directory/.maintenance ]] || rm -f -- "$directory/.maintenance"
echo "WordPress's updater has put $(wp core version) in place."
