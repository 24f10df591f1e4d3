# shellcheck shell=bash
# given: archive directory
cd -- "$directory"
umask 022
mkdir .longshore
ln -s .. .longshore/public
if [[ $archive = *.tar.gz ]]; then
  # Distributions package the source tree from which upstream builds its single file.
  tar --extract --gzip --strip-components=1 --no-same-owner --file="$archive"
  [[ -f adminer/index.php ]] || fail "The archive holds no Adminer."
  printf '%s\n' "<?php header('Location: /adminer/');" > index.php
else
  cp -- "$archive" index.php
fi
echo "Adminer is in place."
