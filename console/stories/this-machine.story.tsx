import type { WholeServer } from "../../contract/types.ts";
import { DeleteDialog } from "../src/pages/server/settings/delete-dialog.tsx";
import { RebootDialog } from "../src/pages/server/settings/reboot-dialog.tsx";
import { standIn } from "./answers.ts";
import { InOrganization } from "./in-organization.tsx";
import { servers } from "./records.ts";

// The machine that Longshore runs on: what its dialogs say besides.

const ignore = () => {};
const own = { ...(servers(1)[0] as WholeServer), name: "panel", is_this_machine: true };

export const alone = true;
export const states = {
  "its reboot": () => (
    <InOrganization>
      <RebootDialog server={own} onClose={ignore} />
    </InOrganization>
  ),
  "its deletion": () => {
    // What is lost is not answered.
    standIn({ always: {}, answers: {}, mode: "pending" });
    return (
      <InOrganization>
        <DeleteDialog server={own} onClose={ignore} />
      </InOrganization>
    );
  },
};
