import { useEffect } from "react";
import { isRouteErrorResponse, useRevalidator, useRouteError } from "react-router";
import { ApiError, messageOf } from "../../api/errors.ts";
import { isMissingChunk, reloadWhenAnswered, wasJustReloaded } from "../../api/missing-chunk.ts";
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
  return (
    <div className="flex max-w-[72ch] flex-col gap-4">
      <h1 tabIndex={-1} className="font-semibold text-page">
        This page could not be shown
      </h1>
      {isMissingChunk(error) && !wasJustReloaded() ? <NotLoaded /> : <Unshown error={error} />}
    </div>
  );
}

/** A part of the program is missing: the server does not answer, or has another version. */
function NotLoaded() {
  useEffect(() => {
    const left = new AbortController();
    void reloadWhenAnswered(left.signal);
    return () => left.abort();
  }, []);
  return <ErrorPanel what="It could not be loaded." message="It is loaded again when the server answers." />;
}

function Unshown({ error }: { error: unknown }) {
  const { revalidate, state } = useRevalidator();
  const isBug = !(error instanceof ApiError);
  return (
    <ErrorPanel
      what={isBug ? "Something in the page failed." : "What it needs could not be read."}
      message={isBug ? "If it fails again, report it to the operator of this installation." : messageOf(error)}
      requestId={(error instanceof ApiError && error.requestId) || undefined}
      onRetry={() => (isBug ? location.reload() : void revalidate())}
      isRetrying={state === "loading"}
    />
  );
}
