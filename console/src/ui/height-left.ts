import { type RefObject, useLayoutEffect, useState } from "react";

/** The height from an element's place to the end of the window, and no less than `least`; follows what is above it. */
export function useHeightLeft(element: RefObject<HTMLElement | null>, least: string): string {
  const [top, setTop] = useState<number>();
  useLayoutEffect(() => {
    const parent = element.current?.parentElement;
    if (!parent) return;
    const measure = () => setTop(Math.round((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(parent);
    return () => observer.disconnect();
  }, [element]);
  // Without a height, all rows of a list would be on screen.
  if (top === undefined) return "100dvh";
  // The shell sets --below to the height of its bar on a phone, and --page-end to the space below a page.
  return `max(${least}, calc(100dvh - ${top}px - var(--below, 0px) - var(--page-end, 1rem)))`;
}
