import { type ReactNode, useEffect, useRef } from "react";
import { ComboBox } from "../src/ui/combo-box.tsx";
import { Select } from "../src/ui/select.tsx";

const servers = [
  { id: 1, label: "shop-1", description: "62 GB and 5.1 GB of memory are free" },
  { id: 2, label: "shop-2", description: "8 GB and 0.9 GB of memory are free" },
  { id: 3, label: "old", disabledReason: "Its setup has not ended." },
];

/** Presses the button of the field. */
function Opened({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => place.current?.querySelector("button")?.click());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div ref={place} className="max-w-sm p-6">
      {children}
    </div>
  );
}

export const alone = true;
export const states = {
  select: () => (
    <Opened>
      <Select label="Server" options={servers} defaultValue={1} />
    </Opened>
  ),
  "combo box": () => (
    <Opened>
      <ComboBox label="Server" options={servers} />
    </Opened>
  ),
};
