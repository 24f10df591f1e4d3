import type { ReactNode } from "react";
import { useParams } from "react-router";
import { DatabasePage } from "../../../parts/databases/database-page.tsx";
import { usePlace } from "../databases/use-place.ts";

export function Component(): ReactNode {
  return <DatabasePage place={usePlace()} id={Number(useParams().database)} />;
}
