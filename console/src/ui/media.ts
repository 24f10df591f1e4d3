import { useSyncExternalStore } from "react";

const phone = window.matchMedia("(max-width: 639px)");

function subscribe(listener: () => void): () => void {
  phone.addEventListener("change", listener);
  return () => phone.removeEventListener("change", listener);
}

/** Narrower than Tailwind's `sm`. Only for what has to be other elements there; the rest is done by classes. */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => phone.matches);
