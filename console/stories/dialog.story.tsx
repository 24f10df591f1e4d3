import { Button } from "../src/ui/button.tsx";
import { ConfirmDialog, Dialog } from "../src/ui/dialog.tsx";
import { Drawer } from "../src/ui/drawer.tsx";
import { Properties } from "../src/ui/properties.tsx";

const ignore = () => {};
const lines = Array.from({ length: 40 }, (_, index) => `Line ${index + 1}`);

export const alone = true;
export const states = {
  plain: () => (
    <Dialog
      isOpen
      onClose={ignore}
      title="Compare environments"
      footer={
        <>
          <Button>Cancel</Button>
          <Button kind="primary">Save and deploy</Button>
        </>
      }
    >
      <p className="text-prose text-text-2">Two variables are added, one is changed. Values are not shown.</p>
    </Dialog>
  ),
  long: () => (
    <Dialog isOpen wide onClose={ignore} title="Output" footer={<Button kind="primary">Close</Button>}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Dialog>
  ),
  confirm: () => (
    <ConfirmDialog
      isOpen
      onClose={ignore}
      onConfirm={ignore}
      title="Roll back Shop to release 41"
      verb="Roll back"
      refusal="A deployment of this project is running. Cancel it, or wait for its end."
    >
      <p>Release 42 is taken out of service. Its files are kept; the database is not changed.</p>
    </ConfirmDialog>
  ),
  danger: () => (
    <ConfirmDialog
      isOpen
      onClose={ignore}
      onConfirm={ignore}
      title="Delete server shop-1"
      verb="Delete server"
      danger
      typedName="shop-1"
    >
      <p>The machine is returned to Hetzner. These are lost:</p>
      <ul className="list-disc pl-5">
        <li>3 projects and their releases</li>
        <li>2 databases, 1.4 GB</li>
        <li>4 backups that are only on this server</li>
      </ul>
    </ConfirmDialog>
  ),
  drawer: () => (
    <Drawer isOpen onClose={ignore} title="Delivery to Slack" footer={<Button>Send again</Button>}>
      <Properties
        items={[
          { label: "State", value: "Failed" },
          { label: "Answer", value: "410 Gone: channel_is_archived" },
          { label: "Tries", value: "5 of 5" },
        ]}
      />
    </Drawer>
  ),
};
