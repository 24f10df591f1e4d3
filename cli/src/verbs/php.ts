import type { Php, PhpUpdate } from "../../../contract/types.ts";
import { projectOf } from "../find.ts";
import type { Invocation } from "../invocation.ts";
import { printRecord } from "../output/lists.ts";
import { fieldsOf, reportChange } from "./api.ts";

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

/** Waits until the server has them, as long as the API does. */
export async function setPhp(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const { id } = await projectOf(invocation, invocation.text("project"));
  const body = fieldsOf(invocation.args) as PhpUpdate;
  const answer = await session.call("PUT /api/v1/projects/{id}/php", { params: { id }, body });
  return reportChange(invocation, answer);
}
