import { Circle, CircleDot, SlidersHorizontal, Square, SquareCheck } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { Menu } from "../../ui/menu.tsx";
import { columnsWith } from "./columns.tsx";
import { nextSort, type ProjectView, sortedBy } from "./filters.ts";
import { type Density, densities, isShown, type Look, withTurned } from "./look.ts";

const densityNames: Record<Density, string> = { compact: "Compact rows", comfortable: "Comfortable rows" };
const sortNames: Record<(typeof sortedBy)[number], string> = {
  name: "Name",
  last_deployed_at: "Last deployment",
  created_at: "Created",
};

interface Props {
  look: Look;
  onChange: (look: Look) => void;
  view: ProjectView;
  onView: (view: ProjectView) => void;
}

/** Order, columns and density of the list. */
export function LookMenu({ look, onChange, view, onView }: Props) {
  const orders: MenuItem[] = sortedBy.map((field) => ({
    id: `sort-${field}`,
    label: sortNames[field],
    icon: view.sort.replace("-", "") === field ? CircleDot : Circle,
    onAction: () => onView({ ...view, sort: nextSort(view.sort, field) }),
  }));
  const columns: MenuItem[] = columnsWith(() => undefined).map((column) => ({
    id: column.id,
    label: column.label,
    icon: isShown(look, column) ? SquareCheck : Square,
    onAction: () => onChange(withTurned(look, column.id)),
  }));
  const heights: MenuItem[] = densities.map((density) => ({
    id: density,
    label: densityNames[density],
    icon: look.density === density ? CircleDot : Circle,
    onAction: () => onChange({ ...look, density }),
  }));
  return (
    <Menu
      label="Display"
      trigger={<IconButton label="Display" icon={SlidersHorizontal} />}
      sections={[
        { title: "Order", items: orders },
        { title: "Columns", items: columns },
        { title: "Rows", items: heights },
      ]}
    />
  );
}
