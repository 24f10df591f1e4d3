import type { DeploymentReply, LogPage } from "../../../contract/types.ts";
import { exitStatus, Failure, messageOf } from "../failure.ts";
import type { Session } from "../session.ts";
import type { Contact } from "./contact.ts";
import type { Piece, Progress, ProgressView, StreamedStep } from "./progress.ts";
import { readStream } from "./stream.ts";

export interface FollowOptions {
  session: Session;
  progress: Progress;
  view: ProgressView;
  contact: Contact;
  /** Detaches: what is followed resolves with undefined. */
  signal: AbortSignal;
}

/** What a followed record is read by. Undefined: there was no answer. */
export type ReadRecord<Found> = () => Promise<Found | undefined>;

const queuedMs = 5_000;
const endedStatuses: readonly number[] = [1, 2, 5];

export const isEnded = ({ status }: Pick<DeploymentReply, "status">): boolean => endedStatuses.includes(status);

/**
 * Follows a deployment to its end and resolves with its record, which alone decides how it ended: the log only accompanies it.
 * Undefined when `signal` detached it. Throws a `Failure` (7) when the outcome cannot be found out.
 */
export async function followDeployment(id: number, options: FollowOptions): Promise<DeploymentReply | undefined> {
  const { session, view, contact, signal } = options;
  const read = () => recordOf(session, contact, id);
  const timer = setInterval(async () => {
    const record = await read().catch(() => undefined);
    if (record?.waiting_for && !signal.aborted) view.waiting(record.waiting_for.message);
    else if (record) clearInterval(timer);
  }, queuedMs).unref();
  try {
    return await followLog({ ...options, path: `/api/v1/deployments/${id}/log`, read, isEnded });
  } finally {
    clearInterval(timer);
  }
}

/** The record if there is an answer. Throws a `Failure` (7) if it is refused. */
async function recordOf(session: Session, contact: Contact, id: number): Promise<DeploymentReply | undefined> {
  const answer = await session.answer("GET /api/v1/deployments/{id}", { params: { id } }).catch(() => undefined);
  if (answer) checkAccess(contact, answer.status, answer.ok ? "" : answer.body?.message);
  return answer?.ok ? answer.body : undefined;
}

/** Access that ends while something is followed leaves its outcome unknown. */
export function checkAccess(contact: Contact, status: number, message = ""): void {
  if ([401, 403, 404].includes(status)) throw contact.unknown(message);
}

export interface FollowedLog<Found> extends FollowOptions {
  /** The address of its log, whose stream is below it. */
  path: string;
  read: ReadRecord<Found>;
  isEnded: (record: Found) => boolean;
}

/** Follows a log and its record over any number of connections. */
export async function followLog<Found>(followed: FollowedLog<Found>): Promise<Found | undefined> {
  const { contact, signal, read } = followed;
  for (;;) {
    const { hasEnded, reason } = await streamOnce(followed);
    if (signal.aborted) return undefined;
    contact.checkTime();
    const record = await read();
    if (record) contact.made();
    if (record && followed.isEnded(record)) {
      if (!hasEnded) await readRest(followed);
      return record;
    }
    try {
      await contact.lost(reason, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (signal.aborted) return undefined;
  }
}

async function streamOnce<Found>({ session, path, progress, contact, signal }: FollowedLog<Found>) {
  let hasEnded = false;
  let reason = "the connection ended";
  const deadline = new AbortController();
  const timer = Number.isFinite(contact.leftMs) ? setTimeout(() => deadline.abort(), contact.leftMs) : undefined;
  try {
    await readStream(session, {
      path: `${path}/stream`,
      lastEventId: progress.lastEventId,
      signal: AbortSignal.any([signal, deadline.signal]),
      onContact: () => contact.made(),
      onEvent: ({ event, data }) => {
        contact.works();
        if (event === "log") progress.log(JSON.parse(data) as Piece);
        if (event === "step") progress.step(JSON.parse(data) as StreamedStep);
        if (event === "end") hasEnded = true;
      },
    });
  } catch (error) {
    if (error instanceof Failure) {
      const lasting = [exitStatus.notSignedIn, exitStatus.notFound, exitStatus.refused] as const;
      if (lasting.some((status) => status === error.status)) throw contact.unknown(error.message);
    }
    reason = messageOf(error);
  } finally {
    clearTimeout(timer);
  }
  return { hasEnded, reason };
}

/** The rest of a log whose stream cannot be read to its end. What is missing then is only reported. */
async function readRest<Found>({ session, path, progress, view }: FollowedLog<Found>): Promise<void> {
  try {
    for (;;) {
      const after = Number(progress.lastEventId ?? -1) + 1;
      const response = await session.send(`${path}?after=${after}`);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const { data, has_more } = (await response.json()) as LogPage;
      for (const piece of data) progress.log(piece);
      if (!has_more || data.length === 0) return;
    }
  } catch (error) {
    view.note(`The rest of the log could not be read: ${messageOf(error)}`);
  }
}
