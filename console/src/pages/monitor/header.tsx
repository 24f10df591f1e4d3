import { useQuery } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { sentenceOf } from "../../api/errors.ts";
import { useMay } from "../../data/me.ts";
import type { MonitorDetails } from "../../data/monitors.ts";
import { projectNames } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { MonitorSince, MonitorStateIcon } from "../../parts/monitor/monitor-state.tsx";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { ExternalLink, Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { showToast } from "../../ui/toast.tsx";

export function MonitorHeader({ monitor }: { monitor: MonitorDetails }) {
  const o = useOrganization();
  return (
    <PageHeader
      title={monitor.name}
      parent={{ href: paths.monitors(o), label: "Monitors" }}
      state={
        <span className="inline-flex flex-wrap items-baseline gap-x-2">
          <MonitorStateIcon monitor={monitor} />
          <span className="text-text-2">
            <MonitorSince monitor={monitor} />
          </span>
        </span>
      }
      details={<Details monitor={monitor} />}
      actions={useMay("monitor:manage") && <PauseButton monitor={monitor} />}
    />
  );
}

/** What it watches, of which project, on which server. */
function Details({ monitor: { config, type, target, project_id: id } }: { monitor: MonitorDetails }) {
  const o = useOrganization();
  const project = useQuery(projectNames(o, [id])).data?.data[0];
  const mayReadServers = useMay("server:read");
  const server = project && <span dir="auto">{project.server.name}</span>;
  return (
    <>
      {config.url && <ExternalLink href={config.url}>{config.url}</ExternalLink>}
      {type === "heartbeat" && (
        <Link href={paths.project(o, id, "jobs")} kind="quiet">
          Job <bdi>{target.name}</bdi>
        </Link>
      )}
      {project && (
        <Link href={paths.project(o, id)} kind="quiet">
          <span dir="auto">{project.name}</span>
        </Link>
      )}
      {project && mayReadServers ? (
        <Link href={paths.server(o, project.server.id)} kind="quiet">
          {server}
        </Link>
      ) : (
        server
      )}
    </>
  );
}

/** A paused one is not checked, and counts against no limit. */
function PauseButton({ monitor: { id, is_active } }: { monitor: MonitorDetails }) {
  const update = useWrite("PUT /api/v1/monitors/{id}", {
    touches: ["monitor", "monitors"],
    onDone: ({ message }) => void showToast({ text: message, tone: "ok" }),
  });
  const refusal = sentenceOf(update.error);
  return (
    <>
      {refusal && (
        <p role="alert" className="max-w-80 text-bad">
          {refusal}
        </p>
      )}
      <Button
        icon={is_active ? Pause : Play}
        onPress={() => update.mutate({ params: { id }, body: { is_active: !is_active } })}
        isPending={update.isPending}
      >
        {is_active ? "Pause monitor" : "Resume monitor"}
      </Button>
    </>
  );
}
