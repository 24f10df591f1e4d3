import { classNames } from "./class-names.ts";

/** Something is running: a ring that turns once in 1.2 s, and stands still for those who want less motion. */
export function Ring({ size = 14, className }: { size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      className={classNames("shrink-0 animate-turn motion-reduce:animate-none", className)}
    >
      <circle cx="8" cy="8" r="6" opacity="0.25" />
      <path d="M8 2a6 6 0 0 1 6 6" strokeLinecap="round" />
    </svg>
  );
}
