import { useOrganization } from "../../../data/organization.ts";
import type { WholeServer } from "../../../data/servers.ts";
import { hasGivenUp } from "../../../parts/server-state/server-state.tsx";
import { attentionText } from "../../../parts/server-state/setup-words.ts";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Time } from "../../../ui/time.tsx";

/** What needs attention, the worst first. */
export function ServerNotices({ server }: { server: WholeServer }) {
  const { setup, state, reason, accepts_projects: accepts } = server;
  const showSetup = (
    <ButtonLink compact href={paths.server(useOrganization(), server.id, "setup")}>
      Show setup
    </ButtonLink>
  );
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {state === "unreachable" && <Unreachable server={server} />}
      {hasGivenUp(server) && (
        <Notice tone="bad" title="The setup gave up" action={showSetup}>
          No projects can be put on this server before its setup has ended.
        </Notice>
      )}
      {setup.attention_count > 0 && !hasGivenUp(server) && (
        <Notice tone="warn" title={`${attentionText(setup.attention_count)} in the setup`} action={showSetup} />
      )}
      {server.setup_is_outdated && (
        <Notice title="A newer setup is there" action={showSetup}>
          This version of Longshore sets servers up differently. Running the setup again brings this one up to date.
        </Notice>
      )}
      {state === "ready" && !accepts && reason && server.server_type === 0 && (
        <Notice tone="warn" title="It accepts no projects">
          <p dir="auto">{reason}</p>
        </Notice>
      )}
    </div>
  );
}

function Unreachable({ server: { connection_error: error, last_seen_at: seenAt } }: { server: WholeServer }) {
  const since = seenAt && (
    <>
      Not reached since <Time at={seenAt} />
    </>
  );
  return (
    <Notice tone="bad" title={since || "Not reached"}>
      <p dir="auto">{error ?? "It does not answer."}</p>
      <p>What it serves may be served all the same: Longshore is not between a server and its visitors.</p>
    </Notice>
  );
}
