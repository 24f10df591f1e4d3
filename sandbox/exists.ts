import { stat } from "node:fs/promises";

/** Whether there is a file or directory; a link counts when it leads to one. */
export const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
