import { type ReactNode, useState } from "react";
import type { ServerActions } from "../../../../../contract/types.ts";
import { useMay } from "../../../data/me.ts";
import type { WholeServer } from "../../../data/servers.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { useServerRefusals } from "../use-server.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { RebootDialog } from "./reboot-dialog.tsx";
import { TransferDialog } from "./transfer-dialog.tsx";

type Verb = Extract<keyof ServerActions, "reboot" | "transfer" | "delete">;

/** Apart from everything else: what interrupts what is served, or cannot be taken back. */
export function DangerSection({ server }: { server: WholeServer }) {
  const [asked, setAsked] = useState<Verb>();
  const refusal = useServerRefusals(server);
  const may = { reboot: useMay("server:update"), transfer: useMay("server:transfer"), delete: useMay("server:delete") };
  const close = () => setAsked(undefined);
  if (!Object.values(may).includes(true)) return null;
  const button = (verb: Verb, words: string) => (
    <Button kind="danger" onPress={() => setAsked(verb)} disabledReason={refusal(verb) ?? protectionOf(verb, server)}>
      {words}
    </Button>
  );
  return (
    <Section title="Dangerous actions">
      <ul className="max-w-[72ch] border-line border-t">
        {may.reboot && (
          <Item button={button("reboot", "Reboot server")}>
            {server.is_this_machine
              ? "Restarts the machine, and Longshore with it. Nothing on it is served until it is back."
              : "Restarts the machine. Nothing on it is served until it is back."}
          </Item>
        )}
        {may.transfer && (
          <Item button={button("transfer", "Transfer server")}>
            Moves it with its projects to another organization that you own.
          </Item>
        )}
        {may.delete && <Item button={button("delete", "Delete server")}>{whatDeletes(server)}</Item>}
      </ul>
      {asked === "reboot" && <RebootDialog server={server} onClose={close} />}
      {asked === "transfer" && <TransferDialog server={server} onClose={close} />}
      {asked === "delete" && <DeleteDialog server={server} onClose={close} />}
    </Section>
  );
}

// The API refuses it only for those who ask for it (`keep_live`), as the dialog does.
const protectionOf = (verb: Verb, { protects_live_projects: hasLive }: WholeServer): string | undefined =>
  verb === "delete" && hasLive
    ? "Projects are live on it, which protects it. Switch its delete protection off and save first."
    : undefined;

function whatDeletes({ provider_type: type, is_this_machine: isOwn }: WholeServer): string {
  if (isOwn) return "Deletes it here with its projects. The machine and Longshore keep running.";
  return type === "custom"
    ? "Deletes it here with its projects. The machine keeps running."
    : "Deletes it with its projects, and the machine at the provider.";
}

const Item = ({ button, children }: { button: ReactNode; children: ReactNode }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-3">
    <span className="min-w-48 flex-1 text-text-2">{children}</span>
    {button}
  </li>
);
