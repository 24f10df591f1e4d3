import type { DnsCheck, Domain } from "../../../contract/types.ts";
import { exitStatus, Failure } from "../failure.ts";
import { findServer, projectOf } from "../find.ts";
import type { Invocation } from "../invocation.ts";
import { printJson, printList } from "../output/lists.ts";
import { visible } from "../output/text.ts";
import { newKey } from "../session.ts";

export async function listDomains(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const { id } = await projectOf(invocation, invocation.text("project"));
  const { data } = await session.call("GET /api/v1/projects/{id}/domains", { params: { id } });
  printList<Domain>(invocation.terminal, invocation.json, {
    items: data,
    empty: "The project has no domains.",
    columns: [
      { head: "ID", of: ({ id: domain }) => domain },
      { head: "DOMAIN", of: ({ domain_name }) => domain_name, isLong: true },
      { head: "PRIMARY", of: ({ is_primary }) => (is_primary ? "yes" : "") },
      { head: "REDIRECTS", of: ({ redirect_to }) => redirect_to, isLong: true },
      { head: "DNS", of: ({ dns }) => (dns === null ? "not checked" : dns.ok ? "ok" : dns.message), isLong: true },
    ],
  });
  return undefined;
}

export async function addDomain(invocation: Invocation): Promise<undefined> {
  const { terminal, json } = invocation;
  const session = await invocation.session();
  const { id } = await projectOf(invocation, invocation.text("project"));
  const [domain = ""] = invocation.args;
  const answer = await session.call("POST /api/v1/projects/{id}/domains", {
    params: { id },
    body: { domain },
    idempotencyKey: newKey(),
  });
  if (json) printJson(terminal, answer.domain);
  else {
    terminal.note(visible(answer.message));
    terminal.note(`Check where it leads: longshore domains check ${visible(domain)}`);
  }
  return undefined;
}

/** Fails with 1 while a name does not lead to the server. With `--server` the name needs no project yet. */
export async function checkDomain(invocation: Invocation): Promise<number> {
  const check = await askedCheck(invocation);
  const { terminal, json } = invocation;
  if (json) printJson(terminal, check);
  else {
    for (const { name, ok, addresses, message } of check.names) {
      const sign = ok ? terminal.style("green", "✓", "result") : terminal.style("red", "✗", "result");
      terminal.result(`${sign} ${visible(name)} ${addresses.join(" ")} ${ok ? "" : visible(message)}`.trimEnd());
    }
    terminal.note(visible(check.message));
  }
  return check.status === "success" ? exitStatus.done : exitStatus.failed;
}

async function askedCheck(invocation: Invocation): Promise<DnsCheck> {
  const session = await invocation.session();
  const [domain] = invocation.args;
  const server = invocation.text("server");
  if (server !== undefined && domain !== undefined) {
    const body = { server_id: (await findServer(session, server)).id, domains: [domain] };
    const [check] = (await session.call("POST /api/v1/check-ns", { body })).data;
    if (check) return check;
  }
  const { id } = await projectOf(invocation, invocation.text("project"));
  const domainId = domain === undefined ? undefined : await idOfDomain(invocation, id, domain);
  const query = domainId === undefined ? {} : { domain_id: domainId };
  return session.call("GET /api/v1/projects/{id}/check-ns", { params: { id }, query });
}

async function idOfDomain(invocation: Invocation, project: number, domain: string): Promise<number> {
  const session = await invocation.session();
  const { data } = await session.call("GET /api/v1/projects/{id}/domains", { params: { id: project } });
  const found = data.find(({ domain_name }) => domain_name === domain.toLowerCase());
  if (found) return found.id;
  throw new Failure(
    exitStatus.notFound,
    `The project has no domain ${visible(domain)}. There are: ${data.map((each) => each.domain_name).join(", ")}`,
  );
}
