import { ChevronDown, History, RotateCw, Trash2, Wrench } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../src/ui/button.tsx";
import { Menu } from "../src/ui/menu.tsx";

const trigger = <Button icon={ChevronDown}>Deploy</Button>;

/** Opens the menu, as a press would. */
function Opened() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => place.current?.querySelector("button")?.click());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div ref={place} className="p-6">
      <Menu
        label="More ways to deploy"
        trigger={trigger}
        sections={[
          {
            items: [
              { id: "head", label: "Deploy head of main", icon: RotateCw },
              {
                id: "rollback",
                label: "Roll back",
                icon: History,
                disabledReason: "There is no earlier release to go back to.",
              },
              { id: "maintenance", label: "Start maintenance", icon: Wrench },
            ],
          },
          { items: [{ id: "delete", label: "Delete project", icon: Trash2, danger: true }] },
        ]}
      />
    </div>
  );
}

export const alone = true;
export const states = { open: Opened };
