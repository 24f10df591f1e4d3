import { useConnection } from "../../data/connection.ts";
import { useClock } from "../../ui/clock.ts";
import { formatClock } from "../../ui/format.ts";

/** Most connections are back within this time: not worth a word. */
const quietMs = 3000;

/** Says that changes do not reach the page. */
export function ConnectionBar() {
  const { lostAt } = useConnection();
  const isShown = useClock((now) => (lostAt !== undefined && now - lostAt >= quietMs ? 1 : 0), lostAt !== undefined);
  return (
    <div role="status">
      {isShown === 1 && lostAt !== undefined && (
        <p className="bg-warn-bg px-4 py-1.5 text-warn sm:px-6">
          Not connected since {formatClock(lostAt)}. What you see may be out of date.
        </p>
      )}
    </div>
  );
}
