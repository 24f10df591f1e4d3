import type { RefObject } from "react";
import { usePageKeys } from "./page-keys.ts";

/** "/" goes to the input. */
export function useSlash(input: RefObject<HTMLInputElement | null>): void {
  usePageKeys(({ key }) => {
    if (key === "/") input.current?.focus();
    return key === "/";
  });
}
