import { ChevronDown, MoreHorizontal, Plus, RotateCw, Trash2 } from "lucide-react";
import { Button } from "../src/ui/button.tsx";
import { IconButton } from "../src/ui/icon-button.tsx";
import { ButtonLink } from "../src/ui/link.tsx";

const row = "flex flex-wrap items-center gap-2";

export const states = {
  kinds: () => (
    <div className={row}>
      <Button kind="primary">Deploy</Button>
      <Button>Roll back</Button>
      <Button kind="quiet">Cancel</Button>
      <Button kind="danger">Delete server</Button>
      <Button kind="danger" type="submit">
        Confirm deletion
      </Button>
    </div>
  ),
  compact: () => (
    <div className={row}>
      <Button kind="primary" compact>
        Deploy
      </Button>
      <Button compact>Roll back</Button>
      <Button kind="quiet" compact>
        Cancel
      </Button>
      <Button kind="danger" compact>
        Delete server
      </Button>
    </div>
  ),
  "with icon": () => (
    <div className={row}>
      <Button kind="primary" icon={Plus}>
        New project
      </Button>
      <Button icon={RotateCw}>Restart</Button>
      <Button>
        More <ChevronDown size={16} aria-hidden />
      </Button>
      <Button kind="quiet" icon={Trash2}>
        Delete
      </Button>
      <IconButton label="More actions" icon={MoreHorizontal} />
      <IconButton label="More actions, compact" icon={MoreHorizontal} compact />
      <ButtonLink href="#" kind="primary" icon={Plus}>
        Connect server
      </ButtonLink>
    </div>
  ),
  pending: () => (
    <div className={row}>
      <Button kind="primary" isPending>
        Deploy
      </Button>
      <Button isPending>Roll back</Button>
      <Button kind="danger" isPending>
        Delete server
      </Button>
      <Button kind="danger" type="submit" isPending>
        Confirm deletion
      </Button>
    </div>
  ),
  refused: () => (
    <div className={row}>
      <Button kind="primary" disabledReason="A deployment of this project is running.">
        Deploy
      </Button>
      <Button disabledReason="There is no earlier release to go back to.">Roll back</Button>
      <Button kind="quiet" disabledReason="Your role may not do this.">
        Cancel
      </Button>
    </div>
  ),
};
