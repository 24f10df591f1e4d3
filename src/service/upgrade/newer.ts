import { version } from "../../lib/version.ts";
import { openSource } from "./source.ts";
import { chooseVersion } from "./version-order.ts";

/** The newest release of an update source if it is newer than this program. Throws AppError("unavailable") if it cannot be asked. */
export const findNewerRelease = async (place: string | undefined): Promise<string | undefined> =>
  chooseVersion(version, await openSource(place).versions(), undefined);
