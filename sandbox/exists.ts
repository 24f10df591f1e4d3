import { stat } from "node:fs/promises";

/** Whether a file or directory exists; a link counts when its target exists. */
export const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
