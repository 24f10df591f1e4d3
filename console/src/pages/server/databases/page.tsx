import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetch } from "../../../data/cache.ts";
import { serverDatabases } from "../../../data/databases.ts";
import { DatabaseList } from "../../../parts/databases/database-list.tsx";
import { usePlace } from "./use-place.ts";

export const loader = ({ params }: LoaderFunctionArgs) =>
  prefetch(serverDatabases(Number(params.organization), Number(params.server)));

export function Component(): ReactNode {
  return <DatabaseList place={usePlace()} />;
}
