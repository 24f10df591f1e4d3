import { Dialog } from "../../ui/dialog.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { paletteKeys, selectAllKeys } from "./palette-keys.ts";
import { usePlaces } from "./places.ts";

type KeyText = readonly [keys: string, does: string];

const everywhere: readonly KeyText[] = [
  [paletteKeys, "Find records and actions"],
  ["/", "Filter the list"],
  ["?", "Show the keys"],
  ["Esc", "Close what is open"],
];

const inLists: readonly KeyText[] = [
  ["j", "Next row"],
  ["k", "Row before"],
  // With a space that does not part them: it is one key.
  ["Page\u00a0Down", "Down by what is on screen"],
  ["Page\u00a0Up", "Up by what is on screen"],
  ["Home", "First row"],
  ["End", "Last row"],
  ["x", "Select the row, where rows can be selected"],
  [selectAllKeys, "Select all rows, where rows can be selected"],
  [".", "Open the row's actions"],
  ["Enter", "Open the row"],
  ["d", "Deploy the project of the row, the selected ones, or the open one"],
];

/** The keys that work while nothing is typed. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const places = usePlaces();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keys">
      <div className="flex flex-col gap-6 pb-2">
        <KeyList title="Everywhere" keys={everywhere} />
        <KeyList title="Go to" keys={places.map(({ key, label }) => [`g ${key}`, label] as const)} />
        <KeyList title="In lists" keys={inLists} />
      </div>
    </Dialog>
  );
}

function KeyList({ title, keys }: { title: string; keys: readonly KeyText[] }) {
  return (
    <section>
      <h3 className="pb-1 font-medium">{title}</h3>
      <dl className="border-line border-t">
        {keys.map(([each, does]) => (
          <div key={each} className="flex min-h-8 items-center justify-between gap-4 border-line border-b">
            <dt className="text-text-2">{does}</dt>
            <dd>
              <Kbd keys={each} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
