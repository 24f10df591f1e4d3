#!/bin/bash
# Leaves behind what it can, for the project that gets the same numbers. Arguments: a name for the files.
for directory in /tmp /var/tmp /dev/shm /dev/mqueue /run/lock; do
  cp "$(command -v perl)" "$directory/$1" && chmod 6755 "$directory/$1"
  mkdir -p "$directory/$1-directory/deep" && : > "$directory/$1-directory/deep/file"
done 2> /dev/null
perl -e '
  use IPC::SysV qw(IPC_CREAT IPC_PRIVATE);
  shmget IPC_PRIVATE, 4096, IPC_CREAT | 0666;
  semget IPC_PRIVATE, 1, IPC_CREAT | 0666;
  msgget IPC_PRIVATE, IPC_CREAT | 0666;
'
echo '0 0 1 1 * true' | crontab -
setsid --fork sleep 600 > /dev/null 2>&1 < /dev/null
true
