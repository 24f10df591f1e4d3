import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useParams } from "react-router";
import { prefetchOf } from "../../../data/cache.ts";
import { serverDatabases } from "../../../data/databases.ts";
import { server } from "../../../data/servers.ts";
import { DatabasePage } from "../../../parts/databases/database-page.tsx";
import { usePlace } from "../databases/use-place.ts";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.server)];
  return prefetchOf(server(o, id), serverDatabases(o, id));
};

export function Component(): ReactNode {
  return <DatabasePage place={usePlace()} id={Number(useParams().database)} />;
}
