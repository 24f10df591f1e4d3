import {
  Activity,
  Bell,
  Box,
  Database,
  Globe,
  Layers,
  LayoutGrid,
  type LucideIcon,
  Radio,
  Server,
  User,
} from "lucide-react";
import { useOrganization } from "../../../data/organization.ts";
import { recordPath } from "../../../parts/record-path.ts";
import type { PaletteItem } from "../../../ui/palette.tsx";

interface Found {
  noun: string;
  id: number;
  name: string;
  context?: string | null;
}

const icons: Record<string, LucideIcon> = {
  project: Box,
  app: LayoutGrid,
  server: Server,
  domain: Globe,
  database: Database,
  monitor: Activity,
  group: Layers,
  member: User,
  channel: Bell,
  status_page: Radio,
};

/** Makes an entry of a record that was found, or nothing where no page shows it. */
export function useRecordItem(): (found: Found) => PaletteItem[] {
  const o = useOrganization();
  return ({ noun, id, name, context }) => {
    const href = recordPath(o, { noun, id, name });
    if (href === undefined) return [];
    return [{ id: `${noun}:${id}`, label: name, icon: icons[noun] ?? Box, href, ...(context != null && { context }) }];
  };
}
