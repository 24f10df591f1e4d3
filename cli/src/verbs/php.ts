import type { Php, PhpUpdate } from "../../../contract/types.ts";
import { exitStatus } from "../failure.ts";
import { projectOf } from "../find.ts";
import type { Invocation } from "../invocation.ts";
import { printJson, printRecord } from "../output/lists.ts";
import { visible } from "../output/text.ts";
import { fieldsOf } from "./api.ts";

export async function showPhp(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const { id } = await projectOf(invocation, invocation.args[0]);
  const { data } = await session.call("GET /api/v1/projects/{id}/php", { params: { id } });
  printRecord(invocation.terminal, invocation.json, data, rowsOf(data));
  return undefined;
}

const rowsOf = (php: Php): [string, string | number | null][] => [
  ["memory of a request", php.memory_limit_mb === null ? null : `${php.memory_limit_mb} MB`],
  ["execution time", php.max_execution_seconds === null ? null : `${php.max_execution_seconds} s`],
  ["workers", php.max_workers],
  ["opcache", php.opcache_is_enabled ? "on" : "off"],
  ["opcache memory", php.opcache_memory_mb === null ? null : `${php.opcache_memory_mb} MB`],
  ["extensions", php.extensions.join(" ")],
  ["state", php.sync.state],
  ["taken back", php.refusal],
];

/** Waits until the server has them. */
export async function setPhp(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const { id } = await projectOf(invocation, invocation.text("project"));
  const body = fieldsOf(invocation.args) as PhpUpdate;
  const answer = await session.call("PUT /api/v1/projects/{id}/php", { params: { id }, body });
  if (invocation.json) printJson(terminal, answer);
  else terminal.note(visible(answer.message));
  const { warnings = [] } = answer as { warnings?: string[] };
  for (const warning of warnings) terminal.note(visible(warning));
  // A name that is unknown was ignored.
  return warnings.length === 0 ? exitStatus.done : exitStatus.failed;
}
