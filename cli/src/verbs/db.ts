import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseImport, ListedDatabase } from "../../../contract/types.ts";
import { exitStatus, Failure, messageOf, usage } from "../failure.ts";
import { findDatabase, findServer, projectOf } from "../find.ts";
import { contactFor } from "../follow/attached.ts";
import type { Contact } from "../follow/contact.ts";
import { bodyOf } from "../follow/stream.ts";
import type { Invocation } from "../invocation.ts";
import { printJson, printList } from "../output/lists.ts";
import { confirmByName } from "../output/terminal.ts";
import { visible } from "../output/text.ts";
import { bytes } from "../output/times.ts";
import { NoAnswer, newKey, refusal, type Session } from "../session.ts";

const states: Record<number, string> = { 0: "being created", 1: "exists", 2: "failed" };
const transferMs = 2 * 3_600_000;
const lookMs = 2_000;

export async function listDatabases(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const [project, server] = [invocation.text("project"), invocation.text("server")];
  const { data } = await session.call("GET /api/v1/databases", {
    query: {
      per_page: 100,
      sort: "name",
      ...(project === undefined ? {} : { project_id: [(await projectOf(invocation, project)).id] }),
      ...(server === undefined ? {} : { server_id: [(await findServer(session, server)).id] }),
    },
  });
  printList<ListedDatabase>(invocation.terminal, invocation.json, {
    items: data,
    empty: "There are no databases.",
    columns: [
      { head: "ID", of: ({ id }) => id },
      { head: "NAME", of: ({ database_name }) => database_name, isLong: true },
      { head: "ENGINE", of: ({ database_type }) => database_type },
      { head: "STATE", of: ({ status }) => states[status] },
      { head: "SIZE", of: ({ size_bytes }) => bytes(size_bytes) },
      { head: "SERVER", of: ({ server_name }) => server_name, isLong: true },
    ],
  });
  return undefined;
}

export async function createDatabase(invocation: Invocation): Promise<undefined> {
  const { terminal, json } = invocation;
  const session = await invocation.session();
  const [name = ""] = invocation.args;
  const projectName = invocation.text("project");
  const project = projectName === undefined ? undefined : await projectOf(invocation, projectName);
  const server = invocation.text("server");
  const serverId = server === undefined ? project?.server_id : (await findServer(session, server)).id;
  if (serverId === undefined) throw usage("Add --server, or the --project whose server it is created on.");
  const answer = await session.call("POST /api/v1/servers/{id}/databases", {
    params: { id: serverId },
    body: { name, ...(project ? { project_id: project.id } : {}) },
    idempotencyKey: newKey(),
  });
  if (json) printJson(terminal, answer.data);
  else {
    terminal.note(visible(answer.message));
    terminal.result(String(answer.data.id));
  }
  return undefined;
}

/** Writes a dump to a file, or to standard output; a dump that breaks off leaves no file. */
export async function dumpDatabase(invocation: Invocation): Promise<undefined> {
  const { terminal, json } = invocation;
  const session = await invocation.session();
  const [name = "", file] = invocation.args;
  const database = await findDatabase(session, name);
  if (file === undefined && terminal.showsColumns)
    throw usage("A dump is not text: name a file, or redirect the output.");
  const response = await session
    .send(`/api/v1/servers/${database.server_id}/databases/${database.id}/dump`, {
      signal: AbortSignal.timeout(transferMs),
    })
    .catch((error: unknown) => {
      throw new Failure(exitStatus.failed, `${session.url} cannot be reached: ${messageOf(error)}`, { cause: error });
    });
  if (!response.ok || !response.body)
    throw refusal(response.status, await bodyOf(response), session.url, response.headers);
  const dump = Readable.fromWeb(response.body as never);
  try {
    if (file === undefined) await pipeline(dump, process.stdout, { end: false });
    else await writeWhole(dump, file);
  } catch (error) {
    throw new Failure(exitStatus.failed, `The dump broke off: ${messageOf(error)}`, { cause: error });
  }
  if (file === undefined) return undefined;
  const { size } = await stat(file);
  if (json) printJson(terminal, { database: database.database_name, file, bytes: size });
  else terminal.note(`${file} has a dump of ${visible(database.database_name)}, ${bytes(size)}.`);
  return undefined;
}

async function writeWhole(dump: Readable, file: string): Promise<void> {
  const beside = `${file}.${process.pid}.part`;
  try {
    await pipeline(dump, createWriteStream(beside, { mode: 0o600, flags: "wx" }));
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

export async function importDatabase(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const [name = "", file = ""] = invocation.args;
  const database = await findDatabase(session, name);
  const isEmptied = invocation.isSet("emptyFirst");
  await confirmByName(invocation.terminal, {
    name: database.database_name,
    warning: isEmptied
      ? `All content of ${visible(database.database_name)} is deleted, and the file is loaded.`
      : `The file is loaded into ${visible(database.database_name)}, beside its content.`,
    isAgreed: invocation.isSet("yes"),
  });
  const begun = await upload(invocation, session, { database, file, isEmptied });
  return importEnd(invocation, session, begun, database.server_id);
}

interface Upload {
  database: ListedDatabase;
  file: string;
  isEmptied: boolean;
}

/** A broken upload loads nothing, and is not repeated: the file may be large. */
async function upload(
  { terminal }: Invocation,
  session: Session,
  { database, file, isEmptied }: Upload,
): Promise<DatabaseImport> {
  const source = await open(file).catch((error: Error) => {
    throw usage(`${visible(file)} cannot be read: ${error.message}`);
  });
  const { size } = await source.stat();
  terminal.note(`Uploading ${visible(file)}, ${bytes(size)} …`);
  const path = `/api/v1/servers/${database.server_id}/databases/${database.id}/imports?empty_first=${isEmptied}`;
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream", "Content-Length": String(size) },
    body: Readable.toWeb(source.createReadStream()) as unknown as ReadableStream,
    duplex: "half",
    signal: AbortSignal.timeout(transferMs),
  } as RequestInit;
  try {
    const response = await session.send(path, init);
    const body = await bodyOf(response);
    if (!response.ok) throw refusal(response.status, body, session.url, response.headers);
    return (body as { data: DatabaseImport }).data;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new Failure(
      exitStatus.unknown,
      `The upload broke off (${error.message}). Whether it is loaded shows the page of the database.`,
    );
  }
}

async function importEnd(
  invocation: Invocation,
  session: Session,
  { id, database_id }: DatabaseImport,
  server: number,
): Promise<number> {
  const { terminal, json } = invocation;
  const contact: Contact = contactFor(invocation, session, "The import continues: see the page of the database.");
  const params = { id: server, database: database_id, import: id };
  for (;;) {
    const answer = await session
      .answer("GET /api/v1/servers/{id}/databases/{database}/imports/{import}", { params })
      .catch(() => undefined);
    if (answer?.ok) {
      contact.made();
      const { status, error } = answer.body.data;
      if (status === 1 || status === 2) {
        if (json) printJson(terminal, answer.body.data);
        terminal.note(status === 1 ? "The dump was loaded." : `The dump was not loaded: ${visible(error ?? "")}`);
        return status === 1 ? exitStatus.done : exitStatus.failed;
      }
      contact.checkTime();
      await pause(lookMs);
    } else await contact.lost(answer ? `status ${answer.status}` : "no answer");
  }
}
