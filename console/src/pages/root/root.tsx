import { type ReactNode, useEffect } from "react";
import { RouterProvider } from "react-aria-components";
import { Outlet, ScrollRestoration, useHref, useNavigate } from "react-router";
import { onSignedOut } from "../../api/client.ts";
import { cache } from "../../data/cache.ts";
import { isSigningOut, signInAt } from "../../data/session.ts";
import { LiveRegions } from "../../parts/announce.tsx";
import { useThemeOfOthers } from "../../parts/theme.ts";
import { usePageFocus } from "../../parts/use-page-focus.ts";
import { paths } from "../../paths.ts";
import { Toasts } from "../../ui/toast.tsx";

/** What every page is in: links without a reload, focus and announcements, and the way to sign in again when the session ends. */
export function Root(): ReactNode {
  const navigate = useNavigate();
  useSignInAgain();
  usePageFocus();
  useThemeOfOthers();
  return (
    <RouterProvider navigate={(to) => void navigate(to)} useHref={useHref}>
      <Outlet />
      <Toasts />
      <LiveRegions />
      <ScrollRestoration />
    </RouterProvider>
  );
}

function useSignInAgain(): void {
  const navigate = useNavigate();
  useEffect(
    () =>
      onSignedOut(() => {
        if (isSigningOut()) return;
        cache.clear();
        // The other requests of the page that was left are refused too. The browser's address is ahead of the rendered one.
        if (location.pathname !== paths.signIn()) void navigate(signInAt(location), { replace: true });
      }),
    [navigate],
  );
}
