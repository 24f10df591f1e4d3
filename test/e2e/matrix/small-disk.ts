import type { Stage } from "../../../stage/support.ts";

// A separate disk for everything that projects, runs and settings write to, small enough to be filled.

const disk = "/var/tmp/small-disk";

/** It lasts until the next boot. */
export async function mountSmallDisk({ bash }: Pick<Stage, "bash">): Promise<void> {
  await bash(`
    mkdir -p ${disk}
    mount -t tmpfs -o size=1500m,mode=755 tmpfs ${disk}
    for directory in /srv /var/lib/longshore /etc/longshore /etc/nginx /etc/php /etc/systemd/system; do
      mkdir -p $directory ${disk}$directory
      cp -aT $directory ${disk}$directory
      mount --bind ${disk}$directory $directory
    done`);
}

/** Leaves no free byte. */
export const fillDisk = ({ bash }: Pick<Stage, "bash">): Promise<string> =>
  bash(`! cat /dev/zero > ${disk}/fill 2> /dev/null`);

export const freeDisk = ({ bash }: Pick<Stage, "bash">): Promise<string> => bash(`rm ${disk}/fill`);
