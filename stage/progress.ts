import colors from "picocolors";
import yoctoSpinner from "yocto-spinner";

export interface StepTime {
  step: string;
  seconds: number;
}

/** Shows one step after the other and keeps how long each took. */
export interface Progress {
  times: StepTime[];
  /** Runs the work as a step; `update` shows what is being done inside it. */
  step<Result>(name: string, work: (update: (text: string) => void) => Promise<Result>): Promise<Result>;
}

/** On a terminal a spinner, elsewhere plain lines; on standard error, which leaves standard output to results. */
export function showProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const times: StepTime[] = [];
  const display = stream.isTTY ? spinnerOn(stream) : linesOn(stream);
  return {
    times,
    async step(name, work) {
      const startedAt = performance.now();
      const secondsSoFar = (): number => (performance.now() - startedAt) / 1000;
      const shown = display(name);
      try {
        const result = await work(shown.update);
        times.push({ step: name, seconds: secondsSoFar() });
        shown.succeed(`${name} ${colors.dim(`${secondsSoFar().toFixed(1)} s`)}`);
        return result;
      } catch (error) {
        shown.fail(`${name} ${colors.dim(`failed after ${secondsSoFar().toFixed(1)} s`)}`);
        throw error;
      }
    },
  };
}

interface Shown {
  update(text: string): void;
  succeed(text: string): void;
  fail(text: string): void;
}

function spinnerOn(stream: NodeJS.WriteStream): (name: string) => Shown {
  return (name) => {
    const spinner = yoctoSpinner({ stream }).start(name);
    return {
      update(text) {
        spinner.text = `${name} ${colors.dim(text)}`;
      },
      succeed: (text) => void spinner.success(text),
      fail: (text) => void spinner.error(text),
    };
  };
}

function linesOn(stream: NodeJS.WriteStream): (name: string) => Shown {
  const write = (line: string): void => void stream.write(`${line}\n`);
  return (name) => {
    let last = "";
    write(`• ${name} …`);
    return {
      update(text) {
        if (text !== last) write(`    ${text}`);
        last = text;
      },
      succeed: (text) => write(`✔ ${text}`),
      fail: (text) => write(`✖ ${text}`),
    };
  };
}
