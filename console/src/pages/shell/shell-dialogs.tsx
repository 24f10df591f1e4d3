import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import { OpenDialog, type ShellDialog } from "./open-dialog.ts";
import { useShellKeys } from "./use-shell-keys.ts";

/** Loaded as soon as the page is there, and not before: a sixth of the code of the first page. */
const Dialogs = lazy(() =>
  import("./dialogs.tsx").then(
    ({ Dialogs: loaded }) => ({ default: loaded }),
    (error) => ({ default: missing(error) }),
  ),
);

/** The page does without what could not be loaded, until someone opens it: then the page is loaded again. */
const missing =
  (error: unknown) =>
  ({ shown }: { shown: ShellDialog | undefined }): null => {
    if (shown !== undefined) throw error;
    return null;
  };

/** The dialogs that every page has, and the keys that open them. */
export function ShellDialogs({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShellDialog>();
  const close = useCallback(() => setShown(undefined), []);
  const keys = useMemo(() => ({ open: setShown, isOpen: shown !== undefined }), [shown]);
  useShellKeys(keys);
  return (
    <OpenDialog value={setShown}>
      {children}
      <Suspense fallback={null}>
        <Dialogs shown={shown} onClose={close} />
      </Suspense>
    </OpenDialog>
  );
}
