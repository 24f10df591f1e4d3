/** A key, or several pressed one after the other: `keys="g p"`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className="inline-flex gap-1 text-meta text-text-3">
      {keys.split(" ").map((key) => (
        <span key={key} className="min-w-4 rounded-control border px-1 text-center">
          {key}
        </span>
      ))}
    </kbd>
  );
}
