import { type ReactNode, useEffect } from "react";
import { RouterProvider } from "react-aria-components";
import { Outlet, useHref, useLocation, useNavigate } from "react-router";
import { onSignedOut } from "../../api/client.ts";
import { cache } from "../../data/cache.ts";
import { paths } from "../../paths.ts";

/** What every page is in: links without a reload, and the way to sign in again when the session ends. */
export function Root(): ReactNode {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  useEffect(
    () =>
      onSignedOut(() => {
        cache.clear();
        void navigate(paths.signIn(pathname + search + hash), { replace: true });
      }),
    [navigate, pathname, search, hash],
  );
  return (
    <RouterProvider navigate={(to) => void navigate(to)} useHref={useHref}>
      <Outlet />
    </RouterProvider>
  );
}
