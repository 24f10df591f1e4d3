import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useParams } from "react-router";
import { prefetch } from "../../../data/cache.ts";
import { serverDatabases } from "../../../data/databases.ts";
import { DatabasePage } from "../../../parts/databases/database-page.tsx";
import { usePlace } from "../databases/use-place.ts";

export const loader = ({ params }: LoaderFunctionArgs) =>
  prefetch(serverDatabases(Number(params.organization), Number(params.server)));

export function Component(): ReactNode {
  return <DatabasePage place={usePlace()} id={Number(useParams().database)} />;
}
