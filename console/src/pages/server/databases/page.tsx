import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetchOf } from "../../../data/cache.ts";
import { serverDatabases } from "../../../data/databases.ts";
import { server } from "../../../data/servers.ts";
import { DatabaseList } from "../../../parts/databases/database-list.tsx";
import { usePlace } from "./use-place.ts";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.server)];
  return prefetchOf(server(o, id), serverDatabases(o, id));
};

export function Component(): ReactNode {
  return <DatabaseList place={usePlace()} />;
}
