import { setTimeout as pause } from "node:timers/promises";

export interface ApiOptions {
  /** Without a trailing slash. */
  url: string;
  token: string;
  /** Sent as X-Organization. */
  organization?: number;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** A thin client: it sends, parses and never judges a status. The caller promises that `Body` matches the answer. */
export interface Api {
  get<Body = unknown>(path: string): Promise<Answer<Body>>;
  post<Body = unknown>(path: string, body?: object, headers?: Record<string, string>): Promise<Answer<Body>>;
  put<Body = unknown>(path: string, body?: object): Promise<Answer<Body>>;
  delete<Body = unknown>(path: string): Promise<Answer<Body>>;
}

/** What tests need from the API at `url`; paths begin with `/`. */
export function api({ url, token, organization }: ApiOptions): Api {
  const common: Record<string, string> = { Accept: "application/json", Authorization: `Bearer ${token}` };
  if (organization !== undefined) common["X-Organization"] = String(organization);

  async function send<Body>(method: string, path: string, body?: object, more = {}): Promise<Answer<Body>> {
    const headers = { ...common, ...(body ? { "Content-Type": "application/json" } : {}), ...more };
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(120_000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) as Body };
  }

  return {
    get: (path) => send("GET", path),
    post: (path, body, headers) => send("POST", path, body, headers),
    put: (path, body) => send("PUT", path, body),
    delete: (path) => send("DELETE", path),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The body of a successful answer; for any other answer, throws one sentence with the API's message. */
export async function must<Body>(what: string, answering: Promise<Answer<Body>>): Promise<Body> {
  const { status, body } = await answering;
  if (status >= 200 && status < 300) return body;
  throw new Error(`${what} was answered with ${status}: ${JSON.stringify(body)}`);
}

export interface WaitOptions {
  timeoutMs: number;
  /** The pause between two probes. By default it grows with the wait: probes cost a busy machine time. */
  intervalMs?: number;
}

const growing = (waitedMs: number): number => Math.min(Math.max(waitedMs / 20, 50), 500);

/**
 * Calls `probe` until it returns a value (not undefined, not false) and resolves with that. Rejects at the deadline,
 * with the last error if the probe threw: the one place where tests wait.
 */
export async function waitFor<Found>(
  description: string,
  probe: () => Promise<Found | undefined | false> | Found | undefined | false,
  { timeoutMs, intervalMs }: WaitOptions,
): Promise<Found> {
  const startedAt = performance.now();
  for (;;) {
    let failure: unknown;
    try {
      const found = await probe();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      if (error instanceof GiveUp) throw error;
      failure = error;
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= timeoutMs) {
      throw new Error(`Waited ${Math.round(timeoutMs / 1000)} s in vain for ${description}.`, { cause: failure });
    }
    await pause(intervalMs ?? growing(waitedMs));
  }
}

/** Thrown by a probe when waiting longer cannot help. */
export class GiveUp extends Error {}

export interface Deployment {
  id: number;
  project_id: number;
  status: number;
  commit_id: string | null;
  duration: number;
  description: string;
  output?: { process_type: string; client_payload: string[]; system_payload: string[] };
}

const finalStatuses = [1, 2, 5];

/** Follows a deployment to its end, successful or not. */
export function deploymentEnd(client: Api, id: number, options: WaitOptions): Promise<Deployment> {
  return waitFor(
    `deployment ${id} to end`,
    async () => {
      const { status, headers, body } = await client.get<Deployment>(`/api/v1/deployments/${id}`);
      if (status === 429) await pause(1000 * Number(headers.get("Retry-After") ?? 1));
      else if (status !== 200)
        throw new GiveUp(`Deployment ${id} was answered with ${status}: ${JSON.stringify(body)}`);
      else if (finalStatuses.includes(body.status)) return body;
      return undefined;
    },
    options,
  );
}

/** Follows a deployment that has to succeed; otherwise throws with the end of its log. */
export async function deploymentSuccess(client: Api, id: number, options: WaitOptions): Promise<Deployment> {
  const deployment = await deploymentEnd(client, id, options);
  if (deployment.status === 1) return deployment;
  throw new Error(`Deployment ${id} ended with status ${deployment.status}:\n${logTail(deployment)}`);
}

/** The last lines of a deployment's log, as its reader sees them. */
export function logTail({ output }: Deployment, count = 20): string {
  const client = (output?.client_payload ?? []).slice(-count);
  const system = (output?.system_payload ?? []).slice(-count);
  return [...client, ...system].map((line) => `  ${line}`).join("\n");
}

/** The id of the newest deployment of a project: the one that the project's creation started. */
export function firstDeployment(client: Api, projectId: number, options: WaitOptions): Promise<number> {
  return waitFor(
    `project ${projectId} to have a deployment`,
    async () => {
      const path = `/api/v1/projects/${projectId}/deployments`;
      return (await must("Listing deployments", client.get<{ data: Deployment[] }>(path))).data[0]?.id;
    },
    options,
  );
}

/** Queues a deployment of the project; resolves with its id. */
export async function deploy(client: Api, projectId: number): Promise<number> {
  const request = client.post<{ deployment_ids: number[] }>("/api/v1/deployments", { project_ids: [projectId] });
  return (await must("Deploying", request)).deployment_ids[0] as number;
}
