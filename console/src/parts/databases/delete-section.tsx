import { useState } from "react";
import { useNavigate } from "react-router";
import { request } from "../../api/client.ts";
import { sentenceOf } from "../../api/errors.ts";
import { invalidate } from "../../data/cache.ts";
import { type Database, paramsOf } from "../../data/databases.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Section } from "../../ui/section.tsx";
import { showToast } from "../../ui/toast.tsx";
import { Losses } from "../losses.tsx";
import { listAddress, type Place } from "./place.ts";
import { useDatabaseRefusals } from "./use-database.ts";

interface Props {
  place: Place;
  database: Database;
}

/** Apart from everything else: what cannot be taken back. */
export function DeleteSection({ place, database }: Props) {
  const [isAsking, setAsking] = useState(false);
  const refusal = useDatabaseRefusals(database)("delete");
  return (
    <Section
      title="Delete"
      description="Ends all connections and removes the database with its users. This cannot be taken back."
    >
      <Button kind="danger" className="self-start" onPress={() => setAsking(true)} disabledReason={refusal}>
        Delete database
      </Button>
      {isAsking && <DeleteDialog place={place} database={database} onClose={() => setAsking(false)} />}
    </Section>
  );
}

const deletion = "DELETE /api/v1/servers/{id}/databases/{database}";

function DeleteDialog({ place, database, onClose }: Props & { onClose: () => void }) {
  const [o, navigate] = [useOrganization(), useNavigate()];
  const { id, database_name: name } = database;
  const params = paramsOf(database);
  const remove = useWrite(deletion, {
    onDone: async ({ message }) => {
      showToast({ text: message, tone: "ok" });
      await navigate(listAddress(o, place));
      // Only then, or this page would show that the database is missing.
      await invalidate([o, "databases"]);
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}`}
      verb="Delete database"
      danger
      typedName={name}
      onConfirm={() => remove.mutate({ params })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <Losses
        queryKey={[o, "database", id, "losses"]}
        ask={(signal) => request(deletion, { organization: o, params, query: { dry_run: true }, signal })}
      />
    </ConfirmDialog>
  );
}
