import { useMutation } from "@tanstack/react-query";
import { useCallback } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { request } from "../api/client.ts";
import { ownPath, paths } from "../paths.ts";
import { cache, reading } from "./cache.ts";
import { forgetRecent } from "./recent.ts";

/** Who is signed in, for pages that do not need an account: null instead of a refusal. */
export const session = () => reading({ organization: null, noun: "session" }, "GET /api/auth/get-session");

/** Whether the installation waits for its first account. */
export const setupState = () => reading({ organization: null, noun: "setup" }, "GET /api/v1/setup");

/** The fragment of the page to go back to. Some are codes: it stays in the memory of this page, and out of `?next=`. */
let left: { path: string; hash: string } | undefined;

/** The page to sign in, which leads back to this address. */
export function signInAt({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): string {
  const path = pathname + search;
  left = { path, hash };
  return paths.signIn(path);
}

/** Where to go after signing in: where one was, if that is a page of this console. */
export function nextOf(search: URLSearchParams): string {
  const path = ownPath(search.get("next")) ?? paths.organizations();
  return left?.path === path ? path + left.hash : path;
}

/** Opens a page for the account that has just signed in; nothing is left of what was read before. */
export function useEnter(): (path?: string) => Promise<void> {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return useCallback(
    async (path = nextOf(search)) => {
      cache.clear();
      await navigate(path, { replace: true });
    },
    [navigate, search],
  );
}

let isLeaving = false;

/** While the account signs out, what its pages still read is refused: nothing to sign in again for. */
export const isSigningOut = (): boolean => isLeaving;

/** Ends the session of this browser, which keeps nothing of what the account saw, and opens the page to sign in, or the given one. */
export function useSignOut(path: string = paths.signIn()) {
  const enter = useEnter();
  return useMutation({
    mutationFn: () => request("POST /api/auth/sign-out"),
    onMutate: () => {
      isLeaving = true;
    },
    onSuccess: () => {
      forgetRecent();
      return enter(path);
    },
    onSettled: () => {
      isLeaving = false;
    },
  });
}
