import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { Arguments, OperationName, Reply } from "../../../contract/client.ts";
import { newId, request } from "../api/client.ts";
import { isStatus } from "../api/errors.ts";
import { invalidate } from "./cache.ts";
import { useOrganizationId } from "./organization.ts";

type Write = Exclude<OperationName, `GET ${string}`>;
type Given<Name extends OperationName> = Omit<NonNullable<Arguments<Name>[0]>, "organization" | "signal">;

export interface WriteOptions<Name extends Write> {
  /** Nouns to read again at once; events bring them to other tabs. */
  touches?: readonly string[];
  onDone?: (reply: Reply<Name>, input: Given<Name>) => unknown;
}

/** A write in the organization of the page: `mutate(input)`, with `error` as an ApiError when it was refused. */
export function useWrite<Name extends Write>(
  name: Name,
  { touches = [], onDone }: WriteOptions<Name> = {},
): UseMutationResult<Reply<Name>, Error, Given<Name>> {
  const organization = useOrganizationId();
  return useMutation({
    mutationFn: (input: Given<Name>) =>
      request(
        name,
        ...([{ ...input, ...(organization === null ? {} : { organization }) }] as unknown as Arguments<Name>),
      ),
    onSuccess: async (reply, input) => {
      await invalidate(...touches.map((noun) => [organization, noun]));
      await onDone?.(reply, input);
    },
  });
}

/** The key of a request: the same as before only when that got no answer, so that pressing again cannot create two. */
export function useRequestKey() {
  const last = useRef({ body: "", key: "" });
  return (body: object, error: Error | null): string => {
    const text = JSON.stringify(body);
    if (!isStatus(error, 0) || last.current.body !== text) last.current = { body: text, key: newId() };
    return last.current.key;
  };
}
