import { ApiError, messageOf } from "../../api/errors.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { formatBytes } from "../../ui/format.ts";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import type { Upload } from "./uploads.ts";

interface Props {
  upload: Upload;
  onRetry: () => void;
  onDismiss: () => void;
}

/** A dump on its way. Its end is the server's answer, which comes when all of it is on the disk there. */
export function UploadProgress({ upload: { file, sent, error, cancel }, onRetry, onDismiss }: Props) {
  if (error !== undefined) {
    return (
      <div className="flex flex-col items-start gap-2">
        <ErrorPanel
          what={`${file.name} was not uploaded.`}
          message={messageOf(error)}
          requestId={(error instanceof ApiError && error.requestId) || undefined}
          onRetry={onRetry}
        />
        <Button compact kind="quiet" onPress={onDismiss} className="ml-4">
          Dismiss
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="w-full max-w-[72ch]">
        <ProgressBar
          label={sent < file.size ? `Uploading ${file.name}` : `The server is writing ${file.name}`}
          value={sent}
          max={file.size}
          text={`${formatBytes(Math.min(sent, file.size))} of ${formatBytes(file.size)}`}
        />
      </div>
      <Button compact onPress={cancel}>
        Cancel upload
      </Button>
      <p className="text-text-2">You can go to other pages of the console. The upload ends if this tab is closed.</p>
    </div>
  );
}
