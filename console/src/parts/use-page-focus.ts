import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { focusHeading } from "../ui/focus-heading.ts";
import { announce } from "./announce.tsx";

/** After a change of page, as a page load would: focus at the heading, and the page's name read out. Once, in the root route. */
export function usePageFocus(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    focusHeading();
    announce(document.title.replace(/ · Longshore$/, ""));
  }, [pathname]);
}
