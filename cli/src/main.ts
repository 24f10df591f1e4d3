import { setFlagsFromString } from "node:v8";
import { CommanderError } from "commander";
import { exitStatus, Failure, messageOf } from "./failure.ts";
import { Terminal } from "./output/terminal.ts";
import { safeJson } from "./output/text.ts";
import { makeProgram, prepared } from "./program.ts";

// What fetch reads answers with is WebAssembly, and Node ends only after the compiler that makes it faster: a third of a short command's time.
setFlagsFromString("--no-wasm-tier-up");
setFlagsFromString("--no-wasm-dynamic-tiering");

const terminal = new Terminal();
const { argv, rest } = prepared(process.argv.slice(2));
let status: number = exitStatus.done;
const program = makeProgram(terminal, rest, (ended) => {
  status = ended;
});
const interrupted = () => process.exit(exitStatus.interrupted);
process.once("SIGINT", () => process.listenerCount("SIGINT") > 0 || interrupted());
try {
  await program.parseAsync(argv, { from: "user" });
} catch (error) {
  status = report(error);
}
process.exit(status);

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.failed;
  if (error instanceof Failure) {
    terminal.note(`longshore: ${error.message}`);
    if (argv.some((word) => /^--json(=|$)/.test(word)))
      terminal.result(safeJson({ error: error.message, exit_status: error.status }));
    return error.status;
  }
  terminal.note(`longshore: ${error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error)}`);
  return exitStatus.failed;
}
