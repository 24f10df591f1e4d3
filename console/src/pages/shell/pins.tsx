import { useQuery } from "@tanstack/react-query";
import { Box, type LucideIcon, Server } from "lucide-react";
import type { ReactNode } from "react";
import { Link as AriaLink } from "react-aria-components";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { pinnedProjects, pinnedServers } from "../../data/pins.ts";
import { ProjectState } from "../../parts/project-state/project-state.tsx";
import { paths } from "../../paths.ts";
import { classNames } from "../../ui/class-names.ts";
import { useIsCurrent } from "./place-link.tsx";

/** What the account pinned in this organization. */
export function Pins() {
  const o = useOrganization();
  const projects = useQuery({ ...pinnedProjects(o), enabled: useMay("project:read") }).data?.data ?? [];
  const servers = useQuery({ ...pinnedServers(o), enabled: useMay("server:read") }).data?.data ?? [];
  const pinned = servers.filter((server) => "is_pinned" in server && server.is_pinned);
  if (projects.length + pinned.length === 0) return null;
  return (
    <div>
      <h2 className="px-2 pb-1 text-meta text-text-3">Pinned</h2>
      <ul className="flex flex-col gap-px">
        {projects.map((project) => (
          <Pin key={`project:${project.id}`} href={paths.project(o, project.id)} icon={Box} name={project.name}>
            {project.state !== "live" && <ProjectState project={project} iconOnly />}
          </Pin>
        ))}
        {pinned.map(({ id, name }) => (
          <Pin key={`server:${id}`} href={paths.server(o, id)} icon={Server} name={name} />
        ))}
      </ul>
    </div>
  );
}

interface PinProps {
  href: string;
  icon: LucideIcon;
  name: string;
  /** At the end: the state, where it is not the usual one. */
  children?: ReactNode;
}

function Pin({ href, icon: Icon, name, children }: PinProps) {
  const current = useIsCurrent(href);
  return (
    <li>
      <AriaLink
        href={href}
        aria-current={current ? "true" : undefined}
        className={classNames(
          "flex h-7 cursor-pointer items-center gap-2.5 rounded-control px-2",
          current ? "text-text" : "text-text-2 data-hovered:bg-text/4 data-hovered:text-text",
        )}
      >
        <Icon aria-hidden size={14} strokeWidth={1.75} className="mx-px shrink-0 text-text-3" />
        <span dir="auto" className="grow truncate">
          {name}
        </span>
        {children}
      </AriaLink>
    </li>
  );
}
