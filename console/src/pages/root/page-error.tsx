import { isRouteErrorResponse, useRevalidator, useRouteError } from "react-router";
import { ApiError, messageOf } from "../../api/errors.ts";
import { useTitle } from "../../parts/use-title.ts";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { NotFound } from "../not-found/not-found.tsx";
import { BarePage } from "./bare-page.tsx";

/** In place of a page that could not be shown, with nothing around it. */
export function PageError() {
  return (
    <BarePage>
      <PageErrorInShell />
    </BarePage>
  );
}

/** The same with the navigation around it. */
export function PageErrorInShell() {
  const error = useRouteError();
  return isRouteErrorResponse(error) && error.status === 404 ? <NotFound /> : <Failed error={error} />;
}

function Failed({ error }: { error: unknown }) {
  useTitle("Page failed");
  const { revalidate, state } = useRevalidator();
  const isBug = !(error instanceof ApiError);
  return (
    <div className="flex max-w-[72ch] flex-col gap-4">
      <h1 tabIndex={-1} className="font-semibold text-page">
        This page could not be shown
      </h1>
      <ErrorPanel
        what={isBug ? "Something in the page failed." : "What it needs could not be read."}
        message={isBug ? "If it fails again, report it to the operator of this installation." : messageOf(error)}
        requestId={(error instanceof ApiError && error.requestId) || undefined}
        onRetry={() => (isBug ? location.reload() : void revalidate())}
        isRetrying={state === "loading"}
      />
    </div>
  );
}
