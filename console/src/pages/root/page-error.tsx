import type { ReactNode } from "react";
import { useRouteError } from "react-router";
import { messageOf } from "../../api/errors.ts";

/** In place of a page that could not be shown. */
export function PageError(): ReactNode {
  const error = useRouteError();
  return (
    <main>
      <h1>This page could not be shown</h1>
      <p>{messageOf(error)}</p>
    </main>
  );
}
