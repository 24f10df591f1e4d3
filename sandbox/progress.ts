import yoctoSpinner from "yocto-spinner";

/** Receives the current activity; may be called any number of times. */
export type Progress = (text: string) => void;

export const silent: Progress = () => {};

export const reportToStderr: Progress = (text) => {
  process.stderr.write(`${text}\n`);
};

/** Runs the work and shows its progress: a spinner on a terminal, a line for each text otherwise. */
export async function withProgress<T>(text: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) {
    let last = text;
    reportToStderr(text);
    return work((now) => {
      if (now !== last) reportToStderr(now);
      last = now;
    });
  }
  const spinner = yoctoSpinner({ stream: process.stderr }).start(text);
  try {
    return await work((now) => {
      spinner.text = now;
    });
  } finally {
    spinner.stop();
  }
}
