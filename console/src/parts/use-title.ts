import { useEffect } from "react";

/** What a page follows, as its tab shows it: a mark in the title and the colour of a dot in the icon. */
export type TitleState = "running" | "succeeded" | "failed";

const icons: Record<TitleState | "none", string> = {
  none: "/assets/icon.svg",
  running: "/assets/icon-running.svg",
  succeeded: "/assets/icon-succeeded.svg",
  failed: "/assets/icon-failed.svg",
};

/** Names the page in the tab, the history and to screen readers: `useTitle("Site")`, `useTitle("Deploying Site", "running")`. */
export function useTitle(title: string, state?: TitleState): void {
  useEffect(() => {
    document.title = `${state ? "● " : ""}${title} · Longshore`;
  }, [title, state]);
  useEffect(() => {
    if (!state) return;
    setIcon(state);
    return () => setIcon("none");
  }, [state]);
}

function setIcon(state: TitleState | "none"): void {
  document.querySelector("link[rel=icon]")?.setAttribute("href", icons[state]);
}
