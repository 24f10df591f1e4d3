import { Button } from "./button.tsx";
import { Copy } from "./copy.tsx";

export interface ErrorPanelProps {
  /** What could not be done: "The deployments could not be read." */
  what: string;
  /** The API's sentence. */
  message?: string | undefined;
  requestId?: string | undefined;
  onRetry?: () => void;
  isRetrying?: boolean;
}

/** In the place of what could not be shown; the rest of the page stays. */
export function ErrorPanel({ what, message, requestId, onRetry, isRetrying = false }: ErrorPanelProps) {
  return (
    <div role="alert" className="flex flex-col items-start gap-3 border-bad-dot border-l-2 py-1 pl-4">
      <div className="max-w-[72ch] [overflow-wrap:anywhere]">
        <p className="font-medium text-prose">{what}</p>
        {message && (
          <p dir="auto" className="text-text-2">
            {message}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {onRetry && (
          <Button compact onPress={onRetry} isPending={isRetrying}>
            Try again
          </Button>
        )}
        {requestId && (
          <span className="flex items-center gap-1 text-meta text-text-3">
            Request <code>{requestId}</code>
            <Copy text={requestId} label="Copy request id" />
          </span>
        )}
      </div>
    </div>
  );
}
