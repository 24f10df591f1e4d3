import type { ReactNode } from "react";
import { useServer } from "../use-server.ts";
import { ServerProjects } from "./server-projects.tsx";

export function Component(): ReactNode {
  return <ServerProjects serverId={useServer().id} />;
}
