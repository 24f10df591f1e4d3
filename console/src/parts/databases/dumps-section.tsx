import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { Database } from "../../data/databases.ts";
import { useOrganization } from "../../data/organization.ts";
import type { OrganizationId } from "../../paths.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Section } from "../../ui/section.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ImportResult } from "./import-result.tsx";
import { LoadForm } from "./load-form.tsx";
import { databaseAddress, type Place } from "./place.ts";
import { UploadProgress } from "./upload-progress.tsx";
import { forgetUpload, startUpload, type Upload, useUpload } from "./uploads.ts";
import { useDatabaseRefusals } from "./use-database.ts";

/** Copies of the content: one is loaded, another downloaded. The address names the import that is shown. */
export function DumpsSection({ place, database }: { place: Place; database: Database }) {
  const o = useOrganization();
  const upload = useUpload(database.id);
  const importId = Number(useSearchParams()[0].get("import"));
  useLoadedUpload(place, database, upload);
  const start = async (dump: Pick<Upload, "file" | "emptiesFirst">) =>
    report(place, { o, database, ended: await startUpload(o, database, dump) });
  return (
    <Section
      title="Dumps"
      description="A dump has all that the database's own user can read, as of one moment. It can be made while the database is used."
      actions={
        <>
          <DownloadLink database={database} />
          <LoadDump database={database} upload={upload} onStart={(dump) => void start(dump)} />
        </>
      }
    >
      {upload ? (
        <UploadProgress
          upload={upload}
          onRetry={() => void start(upload)}
          onDismiss={() => forgetUpload(database.id)}
        />
      ) : (
        importId > 0 && <ImportResult key={importId} database={database} id={importId} />
      )}
    </Section>
  );
}

/** On other pages a toast has how the upload ended. */
function report(place: Place, { o, database: { id, database_name: name }, ended }: Ended): void {
  if (!ended || location.pathname.endsWith(`/databases/${id}`)) return;
  const link = { href: databaseAddress(o, place, id, ended.importId), label: "Show" };
  if (ended.importId) showToast({ text: `The dump is being loaded into ${name}.`, tone: "ok", link });
  else showToast({ text: `${ended.file.name} was not uploaded into ${name}.`, tone: "bad", link });
}

interface Ended {
  o: OrganizationId;
  database: Database;
  ended: Upload | undefined;
}

/** Once all of the dump is there, the address names the import: it is shown after a reload too. */
function useLoadedUpload(place: Place, { id }: Database, upload: Upload | undefined): void {
  const [o, navigate] = [useOrganization(), useNavigate()];
  const importId = upload?.importId;
  useEffect(() => {
    if (importId === undefined) return;
    forgetUpload(id);
    void navigate(databaseAddress(o, place, id, importId), { replace: true });
  }, [importId, id, o, place, navigate]);
}

/** A link, so that the browser writes it to the disk as it comes. */
function DownloadLink({ database }: { database: Database }) {
  const o = useOrganization();
  const refusal = useDatabaseRefusals(database)("download");
  if (refusal) {
    return (
      <Button icon={Download} disabledReason={refusal}>
        Download dump
      </Button>
    );
  }
  return (
    <a
      href={`/api/v1/servers/${database.server_id}/databases/${database.id}/dump?organization=${o}`}
      download
      className={buttonClasses("secondary")}
    >
      <Download aria-hidden size={16} strokeWidth={1.75} className="-ml-0.5" />
      Download dump
    </a>
  );
}

interface LoadProps {
  database: Database;
  upload: Upload | undefined;
  onStart: (dump: Pick<Upload, "file" | "emptiesFirst">) => void;
}

function LoadDump({ database, upload, onStart }: LoadProps) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useDatabaseRefusals(database)("import");
  const isUploading = upload !== undefined && upload.error === undefined;
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} disabledReason={isUploading ? "Another dump is being uploaded." : refusal}>
        Load dump
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={`Load a dump into ${database.database_name}`}>
        <LoadForm
          name={database.database_name}
          onSend={(dump) => {
            close();
            onStart(dump);
          }}
          onClose={close}
        />
      </Dialog>
    </>
  );
}
