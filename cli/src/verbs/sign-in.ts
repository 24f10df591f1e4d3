import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Account, DeviceCodes, DeviceToken } from "../../../contract/types.ts";
import { exitStatus, Failure, usage } from "../failure.ts";
import { projectOf } from "../find.ts";
import { bodyOf } from "../follow/stream.ts";
import type { Invocation } from "../invocation.ts";
import { printJson, printList, printRecord } from "../output/lists.ts";
import { visible } from "../output/text.ts";
import { consolePage } from "../pages.ts";
import { deviceName, NoAnswer, openSession, refusal, type Session } from "../session.ts";
import { chosenUrl, installationAt, organizationNamed, parseUrl } from "../settings/choose.ts";
import {
  type Configuration,
  type Installation,
  installationName,
  readConfiguration,
  writeConfiguration,
} from "../settings/configuration.ts";
import { findLink, writeLink } from "../settings/link.ts";
import { version } from "../version.ts";

const longestToken = 1_000;

export async function login(invocation: Invocation): Promise<undefined> {
  const { terminal } = invocation;
  const url = await loginUrl(invocation);
  if (url.startsWith("http:") && !isLocal(url)) {
    terminal.note(`${url} is not encrypted: everyone on the way can read the token. Use https where you can.`);
  }
  const token = invocation.isSet("tokenStdin")
    ? (await terminal.input(longestToken)).trim()
    : await tokenOfDevice(invocation, url);
  const account = await accountOf(url, token);
  const { organization } = account;
  if (!organization) throw usage("The account of this token is in no organization.");
  const configuration = await readConfiguration();
  const before = installationAt(configuration, url);
  const installation: Installation = {
    url,
    organization: organization.id,
    tokens: { ...before?.tokens, [organization.id]: { token, organization_name: organization.name } },
  };
  const name = installationName(url);
  await writeConfiguration({ current: name, installations: { ...configuration.installations, [name]: installation } });
  const sentence = `Signed in to ${url} as ${visible(account.email)}, in ${visible(organization.name)}.`;
  if (invocation.json)
    printJson(terminal, { url, email: account.email, organization: { id: organization.id, name: organization.name } });
  else terminal.note(sentence);
  return undefined;
}

async function loginUrl(invocation: Invocation): Promise<string> {
  const [given] = invocation.args;
  if (given !== undefined) return parseUrl(given);
  try {
    return chosenUrl(await invocation.sources());
  } catch (error) {
    if (error instanceof Failure && error.status === exitStatus.notSignedIn) {
      throw usage("Name the installation: longshore login https://panel.example.com");
    }
    throw error;
  }
}

const isLocal = (url: string): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);

async function accountOf(url: string, token: string): Promise<Account> {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Failure(exitStatus.notSignedIn, "That is not a token.");
  const session = openSession({ url, token, organization: undefined });
  return (await session.call("GET /api/v1/me")).data;
}

/** Has a person approve this device in the console, and waits for the token. */
async function tokenOfDevice({ terminal }: Invocation, url: string): Promise<string> {
  const session = openSession({ url, token: undefined, organization: undefined });
  const { data: codes } = await session.call("POST /api/v1/device-authorizations", {
    body: { client_name: `longshore on ${deviceName()}` },
  });
  terminal.note(`Open this page in a browser, and compare the code:\n`);
  terminal.note(`  ${visible(codes.verification_uri_complete)}`);
  terminal.note(`  ${terminal.style("bold", visible(codes.user_code))}\n`);
  if (terminal.canAsk) openInBrowser(codes.verification_uri_complete);
  terminal.note("Waiting for your approval there …");
  return collectToken(session, codes);
}

async function collectToken(session: Session, codes: DeviceCodes): Promise<string> {
  const until = performance.now() + codes.expires_in * 1_000;
  let intervalMs = codes.interval * 1_000;
  while (performance.now() < until) {
    await pause(intervalMs);
    const answered = await pollToken(session, codes.device_code);
    if (answered?.token !== undefined) return answered.token;
    if (answered?.interval !== undefined) intervalMs = answered.interval * 1_000;
  }
  throw new Failure(exitStatus.notSignedIn, "The code has expired. Begin again: longshore login");
}

/** Undefined when the installation did not answer: the next question may get the token. */
async function pollToken(session: Session, deviceCode: string): Promise<DeviceToken | undefined> {
  const path = "/api/v1/device-authorizations/token";
  let response: Response;
  try {
    response = await session.send(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ device_code: deviceCode }),
    });
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
  const body = await bodyOf(response);
  if (response.ok) return (body as { data: DeviceToken }).data;
  if (response.status === 429 || response.status >= 500) return undefined;
  const { message } = refusal(response.status, body, session.url);
  throw new Failure(exitStatus.notSignedIn, message);
}

export async function logout(invocation: Invocation): Promise<undefined> {
  const { terminal } = invocation;
  const configuration = await readConfiguration();
  const [given] = invocation.args;
  const url = given === undefined ? chosenUrl(await invocation.sources()) : parseUrl(given);
  const installation = installationAt(configuration, url);
  if (!installation) throw new Failure(exitStatus.notSignedIn, `You are not signed in to ${url}.`);
  const tokens = new Set(Object.values(installation.tokens).map(({ token }) => token));
  for (const token of tokens) await revoke(invocation, url, token);
  const name = installationName(url);
  const { [name]: _, ...installations } = configuration.installations;
  const current = configuration.current === name ? (Object.keys(installations)[0] ?? null) : configuration.current;
  await writeConfiguration({ current, installations });
  if (invocation.json) printJson(terminal, { url });
  else terminal.note(`Signed out of ${url}.`);
  return undefined;
}

/** A token that cannot be revoked is reported, and removed from this device all the same. */
async function revoke({ terminal }: Invocation, url: string, token: string): Promise<void> {
  const session = openSession({ url, token, organization: undefined });
  try {
    const { data } = await session.call("GET /api/v1/me/tokens");
    const own = data.filter(({ prefix }) => token.startsWith(prefix));
    const [only] = own;
    if (!only || own.length > 1) throw new Error("its record was not found");
    await session.call("DELETE /api/v1/me/tokens/{id}", { params: { id: only.id } });
  } catch (error) {
    if (error instanceof Failure && error.status === exitStatus.notSignedIn) return;
    terminal.note(
      `The token was removed from this device, and not revoked: ${(error as Error).message} Revoke it at ${url}/account`,
    );
  }
}

export async function whoami(invocation: Invocation): Promise<undefined> {
  const session = await invocation.session();
  const { data } = await session.call("GET /api/v1/me");
  const { organization } = data;
  const shown = {
    url: session.url,
    email: data.email,
    name: data.name,
    organization: organization && { id: organization.id, name: organization.name, role: organization.role },
    permissions: organization?.permissions ?? [],
  };
  printRecord(invocation.terminal, invocation.json, shown, [
    ["installation", shown.url],
    ["account", shown.email],
    ["organization", organization && `${organization.name} (${organization.id})`],
    ["role", organization?.role],
    ["permissions", shown.permissions.join(" ")],
  ]);
  return undefined;
}

/** Lists where the person is signed in, or chooses where commands work from now on. */
export async function use(invocation: Invocation): Promise<undefined> {
  const { args, terminal } = invocation;
  const configuration = await readConfiguration();
  if (args.length === 0) return listInstallations(invocation, configuration);
  const [first = "", second] = args;
  const name = second === undefined ? configuration.current : nameIn(configuration, first);
  const installation = name === null ? undefined : configuration.installations[name];
  if (name === null || !installation) {
    throw new Failure(
      exitStatus.notSignedIn,
      "You are not signed in. Sign in: longshore login https://panel.example.com",
    );
  }
  const used = await useOrganization(installation, second ?? first);
  await writeConfiguration({ current: name, installations: { ...configuration.installations, [name]: used } });
  const { organization_name } = used.tokens[String(used.organization)] ?? { organization_name: "" };
  if (invocation.json)
    printJson(terminal, { url: used.url, organization: { id: used.organization, name: organization_name } });
  else terminal.note(`Commands work in ${visible(organization_name)} at ${used.url} now.`);
  return undefined;
}

function nameIn({ installations }: Configuration, given: string): string {
  if (installations[given]) return given;
  const name = installationName(parseUrl(given));
  if (installations[name]) return name;
  const known = Object.keys(installations).join(", ");
  throw usage(`You are signed in to no installation ${visible(given)}.${known ? ` There are: ${known}` : ""}`);
}

/** A token that is bound to no organization works in others too, and is stored for them when they are first used. */
async function useOrganization(installation: Installation, named: string): Promise<Installation> {
  const { url, tokens } = installation;
  const known = Object.entries(tokens).filter(([id, each]) => id === named || each.organization_name === named);
  if (known.length > 0) return { ...installation, organization: organizationNamed(named, installation) };
  for (const token of new Set(Object.values(tokens).map((each) => each.token))) {
    const { organizations } = await accountOf(url, token);
    const found = organizations.filter(({ id, name }) => String(id) === named || name === named);
    const [wanted] = found;
    if (!wanted || found.length > 1) continue;
    const session = openSession({ url, token, organization: wanted.id });
    const answer = await session.answer("GET /api/v1/me");
    if (!answer.ok) continue;
    return {
      ...installation,
      organization: wanted.id,
      tokens: { ...tokens, [wanted.id]: { token, organization_name: wanted.name } },
    };
  }
  throw usage(`No token of ${url} works in ${visible(named)}. Sign in for it: longshore login ${url}`);
}

function listInstallations({ terminal, json }: Invocation, { current, installations }: Configuration): undefined {
  const items = Object.entries(installations).flatMap(([name, { url, organization, tokens }]) =>
    Object.entries(tokens).map(([id, { organization_name }]) => ({
      is_used: name === current && Number(id) === organization,
      name,
      url,
      organization: { id: Number(id), name: organization_name },
    })),
  );
  printList(terminal, json, {
    items,
    empty: "You are signed in nowhere. Sign in: longshore login https://panel.example.com",
    columns: [
      { head: "", of: ({ is_used }) => (is_used ? "*" : "") },
      { head: "INSTALLATION", of: ({ name }) => name },
      { head: "ORGANIZATION", of: ({ organization }) => organization.name, isLong: true },
      { head: "ID", of: ({ organization }) => organization.id },
    ],
  });
  return undefined;
}

export async function link(invocation: Invocation): Promise<undefined> {
  const { terminal, args } = invocation;
  const [name] = args;
  if (name === undefined) {
    const found = await findLink();
    if (!found) throw usage("This folder is linked to no project. Link it: longshore link PROJECT");
    printRecord(terminal, invocation.json, found, [
      ["project", `${found.project.name} (${found.project.id})`],
      ["organization", found.organization],
      ["installation", found.url],
    ]);
    return undefined;
  }
  const session = await invocation.session();
  const project = await projectOf(invocation, name);
  const { data } = await session.call("GET /api/v1/me");
  const made = {
    url: session.url,
    organization: data.organization?.id ?? 0,
    project: { id: project.id, name: project.name },
  };
  const file = await writeLink(made);
  if (invocation.json) printJson(terminal, made);
  else terminal.note(`${file} links this folder to ${visible(project.name)}. It holds no secret: commit it.`);
  return undefined;
}

/** Opens the site of a project, or its page in the console, in a browser; prints the address where there is none. */
export async function open(invocation: Invocation): Promise<undefined> {
  const { terminal } = invocation;
  const session = await invocation.session();
  const project = await projectOf(invocation, invocation.args[0]);
  const url = invocation.isSet("console") ? await consolePage(session, `projects/${project.id}`) : project.url;
  if (invocation.json) printJson(terminal, { url });
  else if (!terminal.showsColumns || !openInBrowser(url)) terminal.result(visible(url));
  return undefined;
}

/** Whether a browser could be started. Only addresses of the web are opened. */
function openInBrowser(url: string): boolean {
  if (!/^https?:\/\//.test(url)) return false;
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  const isDesktop = process.platform === "darwin" || Boolean(DISPLAY || WAYLAND_DISPLAY);
  if (!isDesktop || SSH_CONNECTION) return false;
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  spawn(program, [url], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
  return true;
}

export async function showVersion(invocation: Invocation): Promise<undefined> {
  const { terminal, json } = invocation;
  const session = await invocation.session().catch(() => undefined);
  const known = await session?.known();
  const server = session && { url: session.url, version: known?.version ?? null };
  if (json) printJson(terminal, { version, server: server ?? null });
  else {
    terminal.result(version);
    if (server) terminal.note(`${server.url} runs ${visible(server.version ?? "an unknown version")}.`);
  }
  return undefined;
}
