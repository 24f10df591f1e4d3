import { setTimeout as pause } from "node:timers/promises";
import {
  type Answer,
  type Arguments,
  type Client,
  createClient,
  type OperationName,
  type Reply,
} from "../contract/client.ts";
import type { DeploymentReply } from "../contract/types.ts";

/** The API as demo, benchmarks and tests use it: each operation by its name, `client("GET /api/v1/me")`. */
export interface Api {
  /** What a successful answer holds; throws the sentences of a refusal. */
  <Name extends OperationName>(name: Name, ...input: Arguments<Name>): Promise<Reply<Name>>;
  /** The answer with its status, successful or not. */
  answer: Client;
  /** The same for what has to succeed; throws the sentences of a refusal. */
  success<Name extends OperationName>(name: Name, ...input: Arguments<Name>): Promise<Success<Name>>;
  /** The same for what has to be refused; throws if it succeeds. */
  refusal<Name extends OperationName>(name: Name, ...input: Arguments<Name>): Promise<Refusal<Name>>;
  /** Sends what the contract's types forbid or do not know: `GET /any/path`, and any body. */
  unchecked(line: string, body?: unknown): Promise<{ status: number; headers: Headers; body: unknown }>;
}

type Success<Name extends OperationName> = Extract<Answer<Name>, { ok: true }>;
type Refusal<Name extends OperationName> = Extract<Answer<Name>, { ok: false }>;

export function api({ url, token }: { url: string; token: string }): Api {
  const answer = createClient({
    url,
    token,
    fetch: (target, init) => fetch(target, { signal: AbortSignal.timeout(120_000), ...init }),
  });

  async function reply<Name extends OperationName>(name: Name, ...input: Arguments<Name>): Promise<Reply<Name>> {
    return (await success(name, ...input)).body;
  }

  async function success<Name extends OperationName>(name: Name, ...input: Arguments<Name>): Promise<Success<Name>> {
    const answered = await answer(name, ...input);
    if (answered.ok) return answered;
    const { message, errors = {} } = answered.body;
    throw new Error([`${name} was answered with ${answered.status}: ${message}`, ...Object.values(errors)].join(" "));
  }

  async function refusal<Name extends OperationName>(name: Name, ...input: Arguments<Name>): Promise<Refusal<Name>> {
    const answered = await answer(name, ...input);
    if (!answered.ok) return answered;
    throw new Error(`${name} should be refused, and was answered with ${answered.status}`);
  }

  const unchecked: Api["unchecked"] = (line, body) => answer(line as OperationName, { body } as never);

  return Object.assign(reply, { answer, success, refusal, unchecked });
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

const finalStatuses = [1, 2, 5];

/** Follows a deployment to its end, successful or not. */
export function deploymentEnd(client: Api, id: number, options: WaitOptions): Promise<DeploymentReply> {
  return waitFor(
    `deployment ${id} to end`,
    async () => {
      const { ok, status, headers, body } = await client.answer("GET /api/v1/deployments/{id}", { params: { id } });
      if (status === 429) await pause(1000 * Number(headers.get("Retry-After") ?? 1));
      else if (!ok) throw new GiveUp(`Deployment ${id} was answered with ${status}: ${body.message}`);
      else if (finalStatuses.includes(body.status)) return body;
      return undefined;
    },
    options,
  );
}

/** Follows a deployment that has to succeed; otherwise throws with the end of its log. */
export async function deploymentSuccess(client: Api, id: number, options: WaitOptions): Promise<DeploymentReply> {
  const deployment = await deploymentEnd(client, id, options);
  if (deployment.status === 1) return deployment;
  throw new Error(`Deployment ${id} ended with status ${deployment.status}:\n${logTail(deployment)}`);
}

/** The last lines of a deployment's log, as its reader sees them. */
export function logTail({ output }: DeploymentReply, count = 20): string {
  const shown = [...output.client_payload.slice(-count), ...output.system_payload.slice(-count)];
  return shown.map((line) => `  ${line}`).join("\n");
}

/** The id of the newest deployment of a project: the one that the project's creation started. */
export function firstDeployment(client: Api, id: number, options: WaitOptions): Promise<number> {
  return waitFor(
    `project ${id} to have a deployment`,
    async () => (await client("GET /api/v1/projects/{id}/deployments", { params: { id } })).data[0]?.id,
    options,
  );
}

/** Queues a rollback to an earlier deployment; resolves with the new one's id. */
export async function requestRollback(client: Api, id: number): Promise<number> {
  return (await client("POST /api/v1/deployments/{id}/rollback", { params: { id } })).deployment_id;
}

/** Queues a deployment of the project; resolves with its id. */
export async function deploy(client: Api, projectId: number): Promise<number> {
  const { deployment_ids } = await client("POST /api/v1/deployments", { body: { project_ids: [projectId] } });
  return deployment_ids[0] as number;
}
