import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetch } from "../../../data/cache.ts";
import { type Channel, channels } from "../../../data/channels.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Section } from "../../../ui/section.tsx";
import { CreateDialog } from "./channel-dialogs.tsx";
import { ChannelRow } from "./channel-row.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(channels(Number(params.organization)));

/** Where the organization is notified. */
export function Component(): ReactNode {
  const query = useQuery(channels(useOrganization()));
  const [isCreating, setCreating] = useState(false);
  const mayManage = useMay("organization:manage");
  return (
    <Section
      title="Notification channels"
      description="Where the organization is notified, and of what."
      actions={
        mayManage && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            Create channel
          </Button>
        )
      }
    >
      <Loaded query={query} what="The channels could not be read." rows={3}>
        {({ data }) => <ChannelList channels={data} />}
      </Loaded>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}

/** Those that fail are first. */
export function ChannelList({ channels }: { channels: readonly Channel[] }) {
  if (channels.length === 0) {
    return (
      <Empty title="No notification channels yet">
        Such as an email to those on call when a deployment fails, or a message in Slack when a server is unreachable.
      </Empty>
    );
  }
  return (
    <ul aria-label="Notification channels" className="border-line border-t">
      {channels
        .toSorted((one, other) => Number(fails(other)) - Number(fails(one)))
        .map((channel) => (
          <ChannelRow key={channel.id} channel={channel} />
        ))}
    </ul>
  );
}

const fails = ({ is_active, last_delivery }: Channel): boolean => is_active && last_delivery?.status === "failed";
