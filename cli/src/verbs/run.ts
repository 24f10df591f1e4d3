import type { Command } from "../../../contract/types.ts";
import { exitStatus, Failure, usage } from "../failure.ts";
import { findServer, projectOf } from "../find.ts";
import { contactFor } from "../follow/attached.ts";
import { checkAccess, followLog } from "../follow/deployment.ts";
import { catchInterrupts } from "../follow/interrupts.ts";
import { Progress, type ProgressView } from "../follow/progress.ts";
import { requestOnce } from "../follow/request.ts";
import type { Invocation } from "../invocation.ts";
import { printJson } from "../output/lists.ts";
import type { Terminal } from "../output/terminal.ts";
import { visible } from "../output/text.ts";
import { newKey, type Session } from "../session.ts";

/** Runs a command in the live release; its output is the result. */
export async function runCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const [name, ...words] = invocation.args;
  const command = commandOf([...words, ...invocation.rest]);
  const project = await projectOf(invocation, name);
  const begun = await requestCommand(invocation, session, project.id, command);
  const at = { params: { id: project.id, commandId: begun } };
  const cancel = () => {
    terminal.note("Ending the command … Ctrl-C again stops watching.");
    const input = { ...at, idempotencyKey: newKey() };
    void session.answer("POST /api/v1/projects/{id}/commands/{commandId}/cancel", input).catch(() => undefined);
  };
  const howToContinue = `Look at it: longshore api GET projects/${project.id}/commands/${begun}`;
  const interrupts = catchInterrupts(invocation.isSet("cancelOnInterrupt") ? cancel : undefined);
  const view = new OutputView(invocation);
  const contact = contactFor(invocation, session, howToContinue, view);
  const progress = new Progress(view, ({ audience }) => audience === "client");
  const read = async () => {
    const answer = await session
      .answer("GET /api/v1/projects/{id}/commands/{commandId}", { ...at, query: { tail: 1 } })
      .catch(() => undefined);
    if (answer && !answer.ok) checkAccess(contact, answer.status, answer.body.message);
    return answer?.ok ? answer.body.data : undefined;
  };
  const path = `/api/v1/projects/${project.id}/commands/${begun}/log`;
  try {
    const isEnded = ({ ended_at }: Command) => ended_at !== null;
    const ended = await followLog({
      session,
      progress,
      view,
      contact,
      signal: interrupts.detached,
      path,
      read,
      isEnded,
    });
    progress.close();
    if (ended) return reportEnd(invocation, ended);
    terminal.note(`Command ${begun} continues. ${howToContinue}`);
    return exitStatus.interrupted;
  } finally {
    interrupts.release();
  }
}

const plainWord = /^[\w@%+=:,./-]+$/;

/** One word is a line for the shell; several are quoted, so that each arrives as it was typed. */
export function commandOf(words: readonly string[]): string {
  const [first] = words;
  if (first === undefined) throw usage("Name the command after two dashes: longshore run PROJECT -- COMMAND");
  if (words.length === 1) return first;
  return words.map((word) => (plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

async function requestCommand(invocation: Invocation, session: Session, id: number, command: string): Promise<number> {
  const server = invocation.text("server");
  const limitMs = invocation.duration("limit");
  const body = {
    command,
    ...(server === undefined ? {} : { server_id: (await findServer(session, server)).id }),
    ...(limitMs === undefined ? {} : { timeout_seconds: Math.ceil(limitMs / 1_000) }),
  };
  const contact = contactFor(invocation, session, "Whether it runs shows the page of the project.");
  const answer = await requestOnce(session, contact, "POST /api/v1/projects/{id}/commands", { params: { id }, body });
  if ("data" in answer) return answer.data.id;
  const record = (answer as unknown as { records: string[] }).records.find((each) => each.startsWith("command:"));
  if (record) return Number(record.split(":")[1]);
  throw new Failure(
    exitStatus.unknown,
    "The command was requested, and its number is not known: see the page of the project.",
  );
}

/** What the command prints is the result; steps of Longshore around it are not. */
class OutputView implements ProgressView {
  private readonly terminal: Terminal;
  private readonly isJson: boolean;

  constructor({ terminal, json }: Invocation) {
    this.terminal = terminal;
    this.isJson = json !== undefined;
  }

  waiting(): void {}
  begin(): void {}
  end(): void {}
  close(): void {}

  line(line: string): void {
    if (this.isJson) printJson(this.terminal, { text: line });
    else this.terminal.result(line);
  }

  note(sentence: string): void {
    this.terminal.note(visible(sentence));
  }
}

function reportEnd({ terminal, json }: Invocation, { id, status, exit_code, error }: Command): number {
  if (json) printJson(terminal, { id, status, exit_code, error });
  if (status === "succeeded") return exitStatus.done;
  const reason = exit_code === null ? visible(error ?? "") : `It ended with ${exit_code}.`;
  terminal.note(status === "cancelled" ? "The command was cancelled." : `The command failed. ${reason}`);
  return status === "cancelled" ? exitStatus.cancelled : exitStatus.failed;
}
