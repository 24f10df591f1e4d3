import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Redirect, RedirectOrder } from "../../../contract/types.ts";
import { exitStatus, Failure, usage } from "../failure.ts";
import { projectOf } from "../find.ts";
import type { Invocation } from "../invocation.ts";
import { printJson, printList } from "../output/lists.ts";
import { visible } from "../output/text.ts";

const longestText = 200_000;

export async function listRedirects(invocation: Invocation): Promise<undefined> {
  const { redirects } = await presentOf(invocation);
  printList<Redirect>(invocation.terminal, invocation.json, {
    items: redirects,
    empty: "The project has no redirects by path.",
    columns: [
      { head: "PATH", of: ({ from }) => from, isLong: true },
      { head: "MATCH", of: ({ match }) => match },
      { head: "TO", of: ({ to }) => to, isLong: true },
      { head: "STATUS", of: ({ status }) => status },
      { head: "QUERY", of: ({ keeps_query }) => (keeps_query ? "kept" : "dropped") },
    ],
  });
  return undefined;
}

interface Present {
  id: number;
  redirects: readonly Redirect[];
  updated_at: string;
}

async function presentOf(invocation: Invocation): Promise<Present> {
  const session = await invocation.session();
  const { id } = await projectOf(invocation, invocation.text("project"));
  const { data } = await session.call("GET /api/v1/projects/{id}/redirects", { params: { id } });
  return { id, redirects: data.redirects, updated_at: data.updated_at };
}

/** Adds one after the others. A path with placeholders is a pattern. */
export async function addRedirect(invocation: Invocation): Promise<undefined> {
  const [from = "", to = null] = invocation.args;
  const status = invocation.text("status");
  const match = invocation.text("match") ?? (/\/(?::|\*$)/.test(from) ? "pattern" : "exact");
  const added = {
    ...{ match, from, to },
    ...(status === undefined ? {} : { status: Number(status) }),
    keeps_query: !invocation.isSet("dropQuery"),
  } as RedirectOrder;
  const present = await presentOf(invocation);
  return replace(invocation, present, [...present.redirects, added]);
}

export async function deleteRedirect(invocation: Invocation): Promise<undefined> {
  const [from = ""] = invocation.args;
  const present = await presentOf(invocation);
  const left = present.redirects.filter((each) => each.from !== from);
  if (left.length === present.redirects.length)
    throw new Failure(exitStatus.notFound, `The project has no redirect of ${visible(from)}.`);
  return replace(invocation, present, left);
}

/** Refused with 409 if someone has changed the project since. */
async function replace(
  invocation: Invocation,
  { id, updated_at }: Present,
  redirects: readonly RedirectOrder[],
): Promise<undefined> {
  const session = await invocation.session();
  const answer = await session.call("PUT /api/v1/projects/{id}/redirects", {
    params: { id },
    body: { redirects, expected_updated_at: updated_at },
  });
  if (invocation.json) printJson(invocation.terminal, answer);
  else invocation.terminal.note(visible(answer.message));
  return undefined;
}

/** Fails with 1 if lines of the file were left out. */
export async function importRedirects(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const [file = "-"] = invocation.args;
  const text = await textOf(invocation, file);
  const session = await invocation.session();
  const isReplaced = invocation.isSet("replace");
  const { id, updated_at } = await presentOf(invocation);
  const format = basename(file).includes("htaccess") || invocation.isSet("htaccess") ? "htaccess" : "_redirects";
  const answer = await session.call("POST /api/v1/projects/{id}/redirects/import", {
    params: { id },
    // Added ones leave the present ones alone, whatever these are.
    body: { format, text, replace: isReplaced, ...(isReplaced && { expected_updated_at: updated_at }) },
  });
  if (invocation.json) printJson(terminal, answer);
  else {
    for (const { line, text: left, reason } of answer.ignored)
      terminal.result(`line ${line}: ${visible(reason)} ${visible(left)}`);
    terminal.note(visible(answer.message));
  }
  return answer.ignored.length === 0 ? exitStatus.done : exitStatus.failed;
}

async function textOf({ terminal }: Invocation, file: string): Promise<string> {
  if (file === "-") return terminal.input(longestText);
  return readFile(file, "utf8").catch((error: Error) => {
    throw usage(`${visible(file)} cannot be read: ${error.message}`);
  });
}
