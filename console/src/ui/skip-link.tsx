/** The first tab stop of a page: past the navigation, to the element with the id `target`. */
export function SkipLink({ target = "main" }: { target?: string }) {
  return (
    <a
      href={`#${target}`}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-text px-3 py-1.5 text-bg focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
