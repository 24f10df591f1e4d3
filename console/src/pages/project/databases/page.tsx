import type { ReactNode } from "react";
import { DatabaseList } from "../../../parts/databases/database-list.tsx";
import { usePlace } from "./use-place.ts";

export function Component(): ReactNode {
  return <DatabaseList place={usePlace()} />;
}
