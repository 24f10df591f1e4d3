import { type Answer, type Arguments, createClient, type OperationName, type Reply } from "../../../contract/client.ts";
import { ApiError } from "./errors.ts";
import { noteVersion } from "./version.ts";

// The page's fetch as it is then: stories replace it.
const send = createClient({ url: location.origin, fetch: (...request) => fetch(...request) });
/** Waits before a request that got no answer is sent again. Reads that failed are repeated when the page is connected again. */
const readWaitsMs = [300, 1000, 3000];
/** Longer: a server that starts again answers within them, and a second press would be another request. */
const writeWaitsMs = [...readWaitsMs, 6000, 10_000];

let signedOut: () => void = () => {};

/** What happens when a request shows that the session has ended. */
export function onSignedOut(listener: () => void): () => void {
  signedOut = listener;
  return () => {
    signedOut = () => {};
  };
}

/**
 * Sends a request by the name of its operation and returns what the answer holds. A request that may be repeated (a GET,
 * and a POST by its Idempotency-Key) is sent again when it got no answer.
 * @throws ApiError when it is refused, or gets no answer.
 */
export async function request<Name extends OperationName>(
  name: Name,
  ...[input]: Arguments<Name>
): Promise<Reply<Name>> {
  const isPost = name.startsWith("POST ");
  const keyed = isPost && name.startsWith("POST /api/v1/") ? { idempotencyKey: newId(), ...input } : input;
  const waitsMs = name.startsWith("GET ") ? readWaitsMs : keyed !== input ? writeWaitsMs : [];
  const answer = await withRetries(
    () => send(name, ...([keyed] as unknown as Arguments<Name>)),
    waitsMs,
    input?.signal,
  );
  return bodyOf(name, answer);
}

/** What an answer holds. @throws ApiError when it is a refusal. */
export function bodyOf<Name extends OperationName>(name: Name, answer: Answer<Name>): Reply<Name> {
  noteVersion(answer.headers.get("X-Longshore-Version"));
  if (answer.ok) return answer.body;
  if (answer.status === 401 && !name.startsWith("POST /api/auth/")) signedOut();
  throw new ApiError(answer.status, answer.body ?? {}, answer.headers.get("X-Request-Id"));
}

async function withRetries<Value>(
  attempt: () => Promise<Value>,
  waitsMs: readonly number[],
  signal?: AbortSignal,
): Promise<Value> {
  for (const waitMs of waitsMs) {
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
    }
  }
  try {
    return await attempt();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(
      0,
      { message: "The server did not answer. Check your connection, then try again." },
      null,
      cause,
    );
  }
}

/** An id that cannot be guessed. Without TLS there is no `crypto.randomUUID`. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
