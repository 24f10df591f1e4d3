import { Send } from "lucide-react";
import { type Channel, kindNames } from "../../../data/channels.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { formatCount } from "../../../ui/format.ts";
import { Link } from "../../../ui/link.tsx";
import { Time } from "../../../ui/time.tsx";
import { ChannelMenu } from "./channel-menu.tsx";
import { ChannelState } from "./channel-state.tsx";
import { TestResultLine } from "./test-result.tsx";
import { topicsInWords } from "./topics.ts";
import { useTest } from "./use-test.ts";

export function ChannelRow({ channel }: { channel: Channel }) {
  const { id, name, type, target, last_delivery: last } = channel;
  const href = paths.channel(useOrganization(), id);
  const mayManage = useMay("organization:manage");
  const test = useTest(channel);
  return (
    <li data-channel={name} className="flex flex-wrap items-start gap-x-4 gap-y-2 border-line border-b py-3">
      <div className="flex min-w-0 grow basis-64 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Link href={href} kind="quiet" className="font-medium text-prose [overflow-wrap:anywhere]">
            <span dir="auto">{name}</span>
          </Link>
          <ChannelState channel={channel} />
          {last && <Time at={last.at} className="text-text-2" />}
        </p>
        <p className="flex flex-wrap gap-x-3 text-text-2">
          <span>{kindNames[type]}</span>
          <code className="[overflow-wrap:anywhere]">{target}</code>
        </p>
        <p className="text-text-2">
          {topicsInWords(channel)} · {projectsInWords(channel)}
        </p>
        {test.disabledReason && <p className="text-warn">{test.disabledReason}</p>}
        {last?.error && <p className="text-bad [overflow-wrap:anywhere]">{last.error}</p>}
        <TestResultLine result={test.result} />
      </div>
      {mayManage && (
        <div className="flex items-center gap-1">
          <Button
            compact
            icon={Send}
            onPress={test.send}
            isPending={test.isPending}
            disabledReason={test.disabledReason}
            aria-label={`Test ${name}`}
          >
            Test
          </Button>
          <ChannelMenu channel={channel} />
        </div>
      )}
    </li>
  );
}

/** A channel whose projects are all gone receives nothing. */
function projectsInWords({ project_ids: ids }: Channel): string {
  if (ids === null) return "All projects";
  if (ids.length === 0) return "Its projects are deleted: it receives nothing";
  return formatCount(ids.length, "project");
}
