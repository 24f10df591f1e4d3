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

/** Where to go after signing in: where one was, if that is a page of this console. */
export const nextOf = (search: URLSearchParams): string => ownPath(search.get("next")) ?? paths.organizations();

/** Opens a page for the account that has just signed in; nothing is left of what was read before. */
export function useEnter(): (path?: string) => void {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return useCallback(
    (path = nextOf(search)) => {
      cache.clear();
      void navigate(path, { replace: true });
    },
    [navigate, search],
  );
}

/** Ends the session of this browser, which keeps nothing of what the account saw, and opens the page to sign in, or the given one. */
export function useSignOut(path: string = paths.signIn()) {
  const enter = useEnter();
  return useMutation({
    mutationFn: () => request("POST /api/auth/sign-out"),
    onSuccess: () => {
      forgetRecent();
      enter(path);
    },
  });
}
