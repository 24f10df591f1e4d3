import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useParams } from "react-router";
import { isStatus } from "../../../api/errors.ts";
import { prefetch } from "../../../data/cache.ts";
import { type Channel, channel, deliveries, kindNames } from "../../../data/channels.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { usePageNumber } from "../../../data/page-number.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Link } from "../../../ui/link.tsx";
import { Pager } from "../../../ui/pager.tsx";
import { Section } from "../../../ui/section.tsx";
import { ChannelMenu } from "../channels/channel-menu.tsx";
import { ChannelState } from "../channels/channel-state.tsx";
import { TestResultLine } from "../channels/test-result.tsx";
import { useTest } from "../channels/use-test.ts";
import { DeliveryList } from "./delivery-list.tsx";

export const loader = ({ params }: LoaderFunctionArgs) =>
  prefetch(channel(Number(params.organization), Number(params.channel)));

/** A notification channel with what was sent to it in the last 30 days. */
export function Component(): ReactNode {
  const o = useOrganization();
  const query = useQuery(channel(o, Number(useParams().channel)));
  return (
    <div className="flex flex-col gap-4">
      <p>
        <Link href={paths.settings(o, "channels")}>Notification channels</Link>
      </p>
      {isStatus(query.error, 404) ? (
        <Empty title="There is no such channel">It was deleted, or you cannot see it.</Empty>
      ) : (
        <Loaded query={query} what="The channel could not be read." rows={4}>
          {({ data }) => <OneChannel channel={data} />}
        </Loaded>
      )}
    </div>
  );
}

function OneChannel({ channel: record }: { channel: Channel }) {
  const { name, type, target } = record;
  const mayManage = useMay("organization:manage");
  const test = useTest(record);
  const actions = mayManage && (
    <>
      <Button icon={Send} onPress={test.send} isPending={test.isPending} disabledReason={test.disabledReason}>
        Test
      </Button>
      <ChannelMenu channel={record} />
    </>
  );
  return (
    <Section
      title={name}
      description={
        <span className="flex flex-wrap gap-x-3">
          <ChannelState channel={record} />
          {kindNames[type]}
          <code className="[overflow-wrap:anywhere]">{target}</code>
        </span>
      }
      actions={actions}
    >
      <TestResultLine result={test.result} />
      <Deliveries id={record.id} />
    </Section>
  );
}

function Deliveries({ id }: { id: number }) {
  const o = useOrganization();
  const page = usePageNumber();
  const query = useQuery({ ...deliveries(o, id, page), placeholderData: keepPreviousData });
  return (
    <Loaded query={query} what="The deliveries could not be read." rows={6}>
      {({ data, total_pages: pages }) => (
        <div>
          <DeliveryList deliveries={data} />
          <Pager
            later={page > 1 ? paths.channel(o, id, page - 1) : undefined}
            earlier={page < pages ? paths.channel(o, id, page + 1) : undefined}
          />
        </div>
      )}
    </Loaded>
  );
}
