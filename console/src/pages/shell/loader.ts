import { data, type LoaderFunctionArgs, redirect } from "react-router";
import { isStatus } from "../../api/errors.ts";
import { cache } from "../../data/cache.ts";
import { connectEarly, disconnect } from "../../data/live.ts";
import { me } from "../../data/me.ts";
import { signInAt } from "../../data/session.ts";

/**
 * Everything inside of an organization needs to know what the account may do there. It is not in the page's own file, so that it
 * runs while that is loaded.
 */
export async function openOrganization({ params, request }: LoaderFunctionArgs): Promise<null> {
  const organization = Number(params.organization);
  if (!/^[1-9]\d{0,14}$/.test(params.organization ?? "")) throw notFound();
  connectEarly(organization);
  try {
    await cache.ensureQueryData(me(organization));
  } catch (error) {
    disconnect();
    if (isStatus(error, 401)) throw redirect(signInAt(addressOf(request)));
    if (isStatus(error, 403, 404)) throw notFound();
    throw error;
  }
  return null;
}

// A stranger's organization looks as one that does not exist.
const notFound = () => data(null, { status: 404 });

function addressOf({ url }: Request) {
  const { pathname, search } = new URL(url);
  // Requests of loaders have no fragment; the address of the first page still has it.
  return { pathname, search, hash: pathname === location.pathname ? location.hash : "" };
}
