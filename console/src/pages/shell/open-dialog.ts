import { createContext, useContext } from "react";

/** A dialog that every page has. */
export type ShellDialog = "palette" | "keys" | "organization";

export const OpenDialog = createContext<(dialog: ShellDialog) => void>(() => {});

/** Opens one of the dialogs that every page has. */
export const useOpen = (): ((dialog: ShellDialog) => void) => useContext(OpenDialog);
