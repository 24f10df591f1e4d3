import type { MonitorWebhookSecret } from "../../../../../contract/types.ts";
import { Button } from "../../../ui/button.tsx";
import { CodeBlock } from "../../../ui/code.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

interface Props {
  secrets: readonly MonitorWebhookSecret[];
  onClose: () => void;
}

/** What deliveries to new webhooks are signed with: the API shows it once. */
export function WebhookSecrets({ secrets, onClose }: Props) {
  if (secrets.length === 0) return null;
  return (
    <Dialog isOpen onClose={onClose} title="Secrets of the new webhooks">
      <div className="flex flex-col gap-3">
        <p>Deliveries are signed with them. Copy them: they are shown only now.</p>
        {secrets.map(({ target, secret }) => (
          <div key={target} className="flex flex-col gap-1">
            <p dir="auto" className="text-meta text-text-2 [overflow-wrap:anywhere]">
              {target}
            </p>
            <CodeBlock label="Copy secret">{secret}</CodeBlock>
          </div>
        ))}
        <Button kind="primary" className="self-end" onPress={onClose} autoFocus>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
