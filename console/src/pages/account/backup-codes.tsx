import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";

/** Shown once: the API never shows them again. */
export const BackupCodes = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) => (
  <div className="flex flex-col gap-4">
    <p className="text-prose text-text-2">
      Each signs in once when you do not have your authenticator app. Keep them where you keep passwords: they are not
      shown again.
    </p>
    <CodeBlock label="Copy backup codes">{codes.join("\n")}</CodeBlock>
    <Button kind="primary" className="self-start" onPress={onDone}>
      I have kept them
    </Button>
  </div>
);
