import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";

// A body is kept in memory until it is complete, and its sender decides when that is. This limits the bodies in
// progress of clients that have not authenticated yet.

const kib = 1024;
const mib = 1024 * kib;

/** Bodies up to this size always pass: larger ones never keep out a sign-in, or most deliveries of git hosts. */
const smallBytes = 64 * kib;
const totalBytes = 64 * mib;
const clientBytes = 16 * mib;

export interface BodyQuota {
  /** Counts the request's body until the request is over. Throws 503 when too much is in progress. */
  admit(request: FastifyRequest, reply: FastifyReply, client: string | undefined): void;
}

export function openBodyQuota(): BodyQuota {
  const underWay = new Map<string, number>();
  let total = 0;

  function add(client: string | undefined, bytes: number): void {
    total += bytes;
    if (client === undefined) return;
    const sum = (underWay.get(client) ?? 0) + bytes;
    if (sum > 0) underWay.set(client, sum);
    else underWay.delete(client);
  }

  return {
    admit(request, reply, client) {
      const { headers, routeOptions } = request;
      // The declared size of the body, or the limit of its route.
      const declared = headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;
      const bytes = Math.min(declared, routeOptions.bodyLimit);
      // What a client sends that has gone already is not received.
      if (bytes <= smallBytes || request.raw.destroyed) return;
      const ofClient = client === undefined ? 0 : (underWay.get(client) ?? 0);
      if (total + bytes > totalBytes || ofClient + bytes > clientBytes) {
        throw new AppError("unavailable", "Too many large requests are being received. Try again in a moment.", {
          headers: { "Retry-After": "5" },
        });
      }
      add(client, bytes);
      reply.raw.once("close", () => add(client, -bytes));
    },
  };
}
