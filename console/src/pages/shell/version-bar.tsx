import { useSyncExternalStore } from "react";
import { isOutdated, onVersion } from "../../api/version.ts";
import { Button } from "../../ui/button.tsx";

/** After an upgrade the open page is older than the server. */
export function VersionBar() {
  const hasNewVersion = useSyncExternalStore(onVersion, isOutdated);
  return (
    <div role="status">
      {hasNewVersion && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-sunken px-4 py-1.5 sm:px-6">
          <p>A new version is ready.</p>
          <Button compact onPress={() => location.reload()}>
            Reload page
          </Button>
        </div>
      )}
    </div>
  );
}
