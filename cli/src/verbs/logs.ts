import type { LiveLines, LogEntry } from "../../../contract/types.ts";
import { exitStatus, Failure, messageOf, usage } from "../failure.ts";
import { findServer, projectOf } from "../find.ts";
import { contactFor } from "../follow/attached.ts";
import { catchInterrupts } from "../follow/interrupts.ts";
import { readStream } from "../follow/stream.ts";
import type { Invocation } from "../invocation.ts";
import { chosenFields, printJson } from "../output/lists.ts";
import { visible, visibleLine } from "../output/text.ts";

const types = ["access", "error", "php", "output", "app"] as const;
type LogType = (typeof types)[number];

interface Wanted {
  type?: LogType;
  server_id?: number;
  lines?: number;
  q?: string;
  since?: string;
}

export async function showLogs(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const { id, framework_id } = await projectOf(invocation, invocation.args[0]);
  const query = await wantedLines(invocation);
  // The same log with and without --follow.
  query.type ??= framework_id >= 5 && framework_id <= 8 ? "output" : "access";
  if (invocation.isSet("follow")) return followLogs(invocation, id, query);
  const { data } = await session.call("GET /api/v1/projects/{id}/logs", { params: { id }, query });
  for (const entry of data.entries) printEntry(invocation, entry);
  return exitStatus.done;
}

async function wantedLines(invocation: Invocation): Promise<Wanted> {
  const type = invocation.text("type");
  const server = invocation.text("server");
  const lines = invocation.count("lines");
  const grep = invocation.text("grep");
  const since = invocation.text("since");
  if (type !== undefined && !types.some((each) => each === type)) {
    throw usage(`There is no log ${visible(type)}. There are: ${types.join(", ")}`);
  }
  return {
    ...(type === undefined ? {} : { type: type as LogType }),
    ...(server === undefined ? {} : { server_id: (await findServer(await invocation.session(), server)).id }),
    ...(lines === undefined ? {} : { lines }),
    ...(grep === undefined ? {} : { q: grep }),
    ...(since === undefined ? {} : { since }),
  };
}

/** With --json a line is one JSON object. */
function printEntry({ terminal, json }: Invocation, entry: LogEntry): void {
  if (json) printJson(terminal, chosenFields(terminal, entry, json));
  else terminal.result(visibleLine(entry.text));
}

/** Follows until it is interrupted, or the reader of standard output is gone. */
async function followLogs(invocation: Invocation, id: number, query: Wanted): Promise<number> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const contact = contactFor(invocation, session, "Follow it again: longshore logs -f");
  const interrupts = catchInterrupts();
  const signal = AbortSignal.any([interrupts.detached, terminal.outputClosed]);
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  let lastEventId: string | undefined;
  while (!signal.aborted) {
    let reason = "the connection ended";
    try {
      await readStream(session, {
        path: `/api/v1/projects/${id}/logs/stream?${new URLSearchParams(given)}`,
        lastEventId,
        signal,
        onContact: () => contact.made(),
        onEvent: ({ event, id: eventId, data }) => {
          contact.works();
          lastEventId = eventId ?? lastEventId;
          if (event === "lines") printLive(invocation, JSON.parse(data) as LiveLines);
          if (event === "unavailable") terminal.note(visible((JSON.parse(data) as { message: string }).message));
        },
      });
    } catch (error) {
      if (error instanceof Failure) throwLasting(error);
      reason = messageOf(error);
    }
    if (!signal.aborted) await contact.lost(reason, signal).catch((error) => signal.aborted || Promise.reject(error));
  }
  interrupts.release();
  return terminal.isOutputClosed ? exitStatus.done : exitStatus.interrupted;
}

function printLive(invocation: Invocation, { entries, left_out }: LiveLines): void {
  if (left_out > 0) invocation.terminal.note(`${left_out} lines are left out: too many came at once.`);
  for (const entry of entries) printEntry(invocation, entry);
}

function throwLasting(error: Failure): void {
  const lasting: readonly number[] = [exitStatus.notSignedIn, exitStatus.notFound, exitStatus.refused];
  if (lasting.includes(error.status)) throw error;
}
