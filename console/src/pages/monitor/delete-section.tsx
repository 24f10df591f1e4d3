import { useState } from "react";
import { useNavigate } from "react-router";
import { sentenceOf } from "../../api/errors.ts";
import type { MonitorDetails } from "../../data/monitors.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Section } from "../../ui/section.tsx";
import { showToast } from "../../ui/toast.tsx";

export function DeleteSection({ monitor }: { monitor: MonitorDetails }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title="Dangerous actions">
      <div className="flex max-w-[72ch] flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-y py-3">
        <span className="min-w-48 flex-1 text-text-2">Deletes the monitor with its events and its history.</span>
        <Button kind="danger" onPress={() => setAsking(true)}>
          Delete monitor
        </Button>
      </div>
      {isAsking && <DeleteDialog monitor={monitor} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function DeleteDialog({ monitor: { id, name, type }, onClose }: { monitor: MonitorDetails; onClose: () => void }) {
  const o = useOrganization();
  const navigate = useNavigate();
  const remove = useWrite("DELETE /api/v1/monitors/{id}", {
    touches: ["monitors"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      void navigate(paths.monitors(o));
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}`}
      verb="Delete monitor"
      danger
      onConfirm={() => remove.mutate({ params: { id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>Its events and its history are lost.{type === "heartbeat" && " The server stops reporting for the job."}</p>
    </ConfirmDialog>
  );
}
