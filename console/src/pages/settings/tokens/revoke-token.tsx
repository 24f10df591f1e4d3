import { Trash2 } from "lucide-react";
import type { ComponentProps } from "react";
import type { Token } from "../../../../../contract/types.ts";
import { Asked } from "../../../parts/asked.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";

interface Props extends Pick<ComponentProps<typeof Asked>, "write" | "onConfirm"> {
  token: Token;
}

export const RevokeToken = ({ token: { name }, ...revoke }: Props) => (
  <Asked
    {...revoke}
    trigger={(ask) => <IconButton compact label={`Revoke token ${name}`} icon={Trash2} onPress={ask} />}
    title={`Revoke ${name}`}
    verb="Revoke token"
    danger
  >
    <p>The next request with it is refused. This cannot be taken back.</p>
  </Asked>
);
