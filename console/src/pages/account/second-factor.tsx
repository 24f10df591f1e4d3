import { useState } from "react";
import { invalidateAccount } from "../../data/account.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Section } from "../../ui/section.tsx";
import { BackupCodes } from "./backup-codes.tsx";
import { PasswordAgain } from "./password-again.tsx";
import { SecondFactorSetup } from "./second-factor-setup.tsx";

type Task = "set up" | "new codes" | "remove";

const titles: Record<Task, string> = {
  "set up": "Set up the second factor",
  "new codes": "Make new backup codes",
  remove: "Remove the second factor",
};

/** A code of an authenticator app (TOTP), asked for after the password. */
export function SecondFactorSection({ isOn }: { isOn: boolean }) {
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  return (
    <Section
      title="Second factor"
      description={
        isOn
          ? "After the password, sign-in asks for a code of your authenticator app, or for a backup code."
          : "After the password, sign-in can ask for a code of an authenticator app."
      }
    >
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button onPress={() => setTask("new codes")}>Make new backup codes</Button>
            <Button onPress={() => setTask("remove")}>Remove second factor</Button>
          </>
        ) : (
          <Button onPress={() => setTask("set up")}>Set up second factor</Button>
        )}
      </div>
      <Dialog isOpen={task !== undefined} onClose={close} title={task ? titles[task] : ""}>
        {task === "set up" && <SecondFactorSetup onDone={close} />}
        {task === "new codes" && <NewBackupCodes onDone={close} />}
        {task === "remove" && <Removal onDone={close} />}
      </Dialog>
    </Section>
  );
}

function NewBackupCodes({ onDone }: { onDone: () => void }) {
  const make = useWrite("POST /api/auth/two-factor/generate-backup-codes");
  if (make.data) return <BackupCodes codes={make.data.backupCodes} onDone={onDone} />;
  return (
    <PasswordAgain
      verb="Make new codes"
      isPending={make.isPending}
      error={make.error}
      onPassword={(password) => make.mutate({ body: { password } })}
    >
      The codes that you have now stop to work.
    </PasswordAgain>
  );
}

function Removal({ onDone }: { onDone: () => void }) {
  const remove = useWrite("POST /api/auth/two-factor/disable", {
    onDone: async () => {
      await invalidateAccount();
      onDone();
    },
  });
  return (
    <PasswordAgain
      verb="Remove second factor"
      isPending={remove.isPending}
      error={remove.error}
      onPassword={(password) => remove.mutate({ body: { password } })}
    >
      From then on the password alone signs you in.
    </PasswordAgain>
  );
}
