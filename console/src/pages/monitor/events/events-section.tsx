import { useInfiniteQuery } from "@tanstack/react-query";
import { type MonitorDetails, type MonitorEvent, monitorEvents } from "../../../data/monitors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { monitorStates } from "../../../parts/monitor/monitor-state.tsx";
import { Button } from "../../../ui/button.tsx";
import { Duration } from "../../../ui/duration.tsx";
import { Section } from "../../../ui/section.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import { Time } from "../../../ui/time.tsx";
import { EventContext } from "./event-context.tsx";

/** All changes of the state that are kept. */
export function EventsSection({ monitor: { id } }: { monitor: MonitorDetails }) {
  const events = useInfiniteQuery(monitorEvents(useOrganization(), id));
  return (
    <Section title="Events">
      <Loaded query={events} what="The events could not be read." rows={3}>
        {({ pages }) => <EventList events={pages.flatMap(({ data }) => data)} />}
      </Loaded>
      {events.hasNextPage && (
        <Button
          className="self-start"
          onPress={() => void events.fetchNextPage()}
          isPending={events.isFetchingNextPage}
        >
          Show earlier events
        </Button>
      )}
    </Section>
  );
}

export function EventList({ events }: { events: readonly MonitorEvent[] }) {
  if (events.length === 0) return <p className="text-text-2">Its state has not changed yet.</p>;
  return (
    <ul aria-label="Events" className="border-line border-t">
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ul>
  );
}

function EventRow({ event }: { event: MonitorEvent }) {
  const { status, message, created_at: at, resolved_at: resolved } = event;
  return (
    <li data-event={event.id} className="flex gap-x-4 gap-y-1 border-line border-b py-2.5 max-sm:flex-col">
      <div className="flex shrink-0 items-baseline gap-x-3 sm:w-44 sm:flex-col">
        <StateIcon {...monitorStates[status]} state={status} />
        <span className="text-text-2">
          <Time at={at} />
          {status === "down" && resolved && (
            <>
              {", for "}
              <Duration ms={Date.parse(resolved) - Date.parse(at)} />
            </>
          )}
        </span>
      </div>
      <div className="flex min-w-0 grow flex-col gap-1">
        <p dir="auto" className="font-medium [overflow-wrap:anywhere]">
          {message}
        </p>
        <div className="text-text-2">
          <EventContext event={event} />
        </div>
      </div>
    </li>
  );
}
