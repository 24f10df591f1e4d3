import type { Server, SetupStep, WholeServer } from "../../../contract/types.ts";
import { exitStatus, Failure, usage } from "../failure.ts";
import { findServer } from "../find.ts";
import { contactFor } from "../follow/attached.ts";
import { checkAccess, followLog } from "../follow/deployment.ts";
import { catchInterrupts } from "../follow/interrupts.ts";
import { Progress } from "../follow/progress.ts";
import { viewFor } from "../follow/views.ts";
import type { Invocation } from "../invocation.ts";
import { printJson, printList, printRecord } from "../output/lists.ts";
import { confirmByName } from "../output/terminal.ts";
import { visible } from "../output/text.ts";
import { ago, duration } from "../output/times.ts";
import { newKey } from "../session.ts";
import { serverTypes, styleOf } from "../words.ts";
import { printPlan } from "./rollback.ts";

const systems = ["debian_13", "debian_12", "ubuntu_26_04", "ubuntu_24_04", "ubuntu_22_04"] as const;
const engines = ["mariadb", "postgresql", "none"] as const;

export async function listServers(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const q = invocation.text("search");
  const { data } = await session.call("GET /api/v1/servers", {
    query: { per_page: Math.min(invocation.count("limit") ?? 100, 100), ...(q === undefined ? {} : { q }) },
  });
  printList<Server>(invocation.terminal, invocation.json, {
    items: data,
    empty: "There are no servers. Connect one: longshore servers add NAME --ip ADDRESS",
    columns: [
      { head: "ID", of: ({ id }) => id },
      { head: "NAME", of: ({ name }) => name, isLong: true },
      { head: "STATE", of: (server) => whole(server)?.state, style: (server) => styleOf(whole(server)?.state ?? "") },
      { head: "TYPE", of: (server) => serverTypes[whole(server)?.server_type ?? 0] },
      { head: "ADDRESS", of: (server) => whole(server)?.public_ip },
      { head: "PROJECTS", of: (server) => whole(server)?.projects_count },
      { head: "SEEN", of: (server) => ago(whole(server)?.last_seen_at) },
    ],
  });
  return undefined;
}

/** A membership that reaches only projects of a server has no more than its name. */
const whole = (server: Server): WholeServer | undefined => ("state" in server ? server : undefined);

export async function showServer(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const server = await findServer(session, invocation.args[0] ?? "");
  printRecord(invocation.terminal, invocation.json, server, [
    ["server", server.name],
    ["id", server.id],
    ["state", server.state],
    ["problem", server.connection_error],
    ["connect", server.connect_command],
    ["address", server.public_ip],
    ["type", serverTypes[server.server_type]],
    ["system", server.operating_system],
    ["projects", server.projects_count],
    ["setup", server.setup?.state],
    ["takes no projects", server.reason],
    ["protected", protectionOf(server)],
    ["seen", ago(server.last_seen_at)],
    ["notes", server.notes],
  ]);
  return undefined;
}

function protectionOf(server: WholeServer): string | null {
  if (server.delete_protection) return "from deletion";
  return server.protects_live_projects ? "from deletion, while projects are live on it" : null;
}

/** Registers a machine; the result is the command that connects it. */
export async function addServer(invocation: Invocation): Promise<undefined> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const [name] = invocation.args;
  const ip = invocation.text("ip");
  if (ip === undefined) throw usage("Add the address of the machine: --ip ADDRESS");
  const port = invocation.count("sshPort");
  const answer = await session.call("POST /api/v1/servers", {
    body: {
      ...(name === undefined ? {} : { name }),
      public_ip: ip,
      server_os: oneOf("os", invocation.text("os") ?? "debian_13", systems),
      server_type: serverTypes.indexOf(oneOf("type", invocation.text("type") ?? "app", serverTypes)) as
        | 0
        | 1
        | 2
        | 3
        | 4,
      ...(port === undefined ? {} : { ssh_port: port }),
      ...(invocation.text("database") === undefined
        ? {}
        : { database_engine: oneOf("database", invocation.text("database") ?? "", engines) }),
    },
    idempotencyKey: newKey(),
  });
  if (!("connect_command" in answer)) throw new Failure(exitStatus.failed, visible(answer.message));
  if (invocation.json) printJson(terminal, answer);
  else {
    terminal.note(`Server ${answer.server_id} was added. Run this on it as root:`);
    terminal.result(visible(answer.connect_command));
    terminal.note(`Then watch its setup: longshore servers setup ${answer.server_id} -f`);
  }
  return undefined;
}

/** Refused while projects are live on it, unless its protection was switched off. */
export async function deleteServer(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const { id, name } = await findServer(session, invocation.args[0] ?? "");
  const query = { confirm: name, keep_live: true };
  const path = "DELETE /api/v1/servers/{id}";
  const { message, plan } = await session.call(path, { params: { id }, query: { ...query, dry_run: true } });
  if (invocation.isSet("dryRun")) return printPlan(invocation, { message, plan });
  const warning = visible(message);
  await confirmByName(terminal, { name, warning, isAgreed: invocation.isSet("yes") });
  const answer = await session.call(path, { params: { id }, query });
  if (invocation.json) printJson(terminal, answer);
  else terminal.note(visible(answer.message));
  return exitStatus.done;
}

/** Switches the protection from deletion on or off. */
export async function protectServer(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const { id, name } = await findServer(session, invocation.args[0] ?? "");
  const isOn = !invocation.isSet("off");
  const answer = await session.call("PUT /api/v1/servers/{id}", { params: { id }, body: { delete_protection: isOn } });
  if (invocation.json) printJson(invocation.terminal, answer);
  else invocation.terminal.note(`${visible(name)} ${isOn ? "is protected from deletion." : "can be deleted."}`);
  return undefined;
}

function oneOf<Value extends string>(flag: string, value: string, known: readonly Value[]): Value {
  if (known.some((each) => each === value)) return value as Value;
  throw usage(`--${flag} takes one of: ${known.join(", ")}`);
}

export async function showSetup(invocation: Invocation): Promise<number> {
  const session = await invocation.session();
  const { id, name } = await findServer(session, invocation.args[0] ?? "");
  if (invocation.isSet("follow")) return followSetup(invocation, id, name);
  const { data } = await session.call("GET /api/v1/servers/{id}/setup-steps", {
    params: { id },
    query: { include_steps: true },
  });
  printList<SetupStep>(invocation.terminal, invocation.json, {
    items: data.steps ?? [],
    empty: `${visible(name)} was not set up yet.`,
    columns: [
      { head: "STEP", of: ({ label }) => label, isLong: true },
      { head: "STATUS", of: ({ status }) => status, style: ({ status }) => styleOf(status) },
      { head: "TOOK", of: ({ duration_ms }) => (duration_ms === null ? null : duration(duration_ms)) },
      { head: "DETAIL", of: ({ detail }) => detail, isLong: true },
    ],
  });
  return statusOfSetup(data.state);
}

const unsuccessful = ["failed", "stalled", "completed_with_failures", "completed_with_gaps"];

const statusOfSetup = (state: string): number => (unsuccessful.includes(state) ? exitStatus.failed : exitStatus.done);

/** Stays with a setup until it has ended; one that has ended is shown as it was. */
async function followSetup(invocation: Invocation, id: number, name: string): Promise<number> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const interrupts = catchInterrupts();
  const view = viewFor(terminal);
  const howToContinue = `The setup continues. Watch: longshore servers setup ${id} -f`;
  const contact = contactFor(invocation, session, howToContinue, view);
  const progress = new Progress(view);
  const read = async () => {
    const answer = await session
      .answer("GET /api/v1/servers/{id}/setup-steps", { params: { id } })
      .catch(() => undefined);
    if (answer && !answer.ok) checkAccess(contact, answer.status, answer.body.message);
    return answer?.ok ? answer.body.data : undefined;
  };
  const isEnded = ({ state }: { state: string }) => state !== "running" && state !== "not_recorded";
  try {
    const path = `/api/v1/servers/${id}/setup-log`;
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
    if (!ended) {
      terminal.note(howToContinue);
      return exitStatus.interrupted;
    }
    if (invocation.json) printJson(terminal, { server_id: id, state: ended.state, error: ended.error });
    const took = duration(ended.total_duration_ms);
    terminal.note(
      `${visible(name)}: ${ended.state.replaceAll("_", " ")} in ${took}${ended.error ? `: ${visible(ended.error)}` : ""}`,
    );
    return statusOfSetup(ended.state);
  } finally {
    progress.close();
    interrupts.release();
  }
}
