import type { IncomingMessage } from "node:http";
import { AppError } from "../../../lib/errors.ts";
import { keptBodyBytes } from "./schema.ts";

// Any program of a job may send bodies: their length, speed and content are untrusted.

export interface BodyLimits {
  /** How much of the beginning is kept. */
  keptBytes: number;
  /** No more than this is read. */
  readBytes: number;
  deadlineMs: number;
}

export const pingBody: BodyLimits = { keptBytes: keptBodyBytes, readBytes: 1024 * 1024, deadlineMs: 10_000 };

export interface ReceivedBody {
  /** The beginning, up to the kept length. */
  beginning: Buffer;
  /** False if there was more than the limit. */
  isComplete: boolean;
}

/** Reads a body and keeps its beginning. Rejects if the sender is too slow or disconnects before the end. */
export function readBody(payload: IncomingMessage, limits: BodyLimits = pingBody): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    const kept: Buffer[] = [];
    let keptLength = 0;
    let length = 0;
    const end = (work: () => void): void => {
      clearTimeout(timer);
      payload.removeListener("data", onData).removeListener("end", onEnd);
      payload.removeListener("error", onGone).removeListener("close", onGone);
      payload.on("error", () => {});
      work();
    };
    const onEnd = (): void => end(() => resolve({ beginning: Buffer.concat(kept), isComplete: true }));
    const onGone = (): void => end(() => reject(new AppError("invalid", "The request ended before its body did.")));
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (keptLength < limits.keptBytes) {
        const piece = chunk.subarray(0, limits.keptBytes - keptLength);
        kept.push(piece);
        keptLength += piece.length;
      }
      if (length > limits.readBytes) end(() => resolve({ beginning: Buffer.concat(kept), isComplete: false }));
    };
    const onLate = () => {
      const message = `The body did not arrive within ${limits.deadlineMs / 1_000} s.`;
      end(() => reject(new AppError("invalid", message, { headers: { Connection: "close" } })));
    };
    const timer = setTimeout(onLate, limits.deadlineMs);
    payload.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

/** The part of a body that can be stored and shown: text without characters that break terminals or databases. */
export function printableText(body: Buffer): string | null {
  if (body.length === 0) return null;
  const text = body
    .toString("utf8")
    .replaceAll("\r\n", "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
  return text.toWellFormed();
}
