import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { cache } from "../src/data/cache.ts";
import { routes } from "../src/routes.tsx";
import { type Answers, type Mode, requestCount, standIn } from "./answers.ts";
import type { Story } from "./stories.ts";

interface PageStory {
  /** `/o/1/projects`: the page that the routes have there, in its shell. */
  address: string;
  /** What it reads in all states, such as the project whose tab it is. */
  always?: Answers;
  /** With records. What is not named here is answered with the example of the API's document. */
  filled?: Answers;
  /** Without records, where that shows anything else; the rest is as in `filled`. */
  empty?: Answers;
  /** Further ones, by name: the rest is as in `filled`. */
  others?: Record<string, Answers>;
  /** The page at further addresses, by name, as filled. */
  elsewhere?: Record<string, string>;
  /** It reads nothing, and so neither waits nor fails. */
  readsNothing?: boolean;
}

/** A page in its states: filled, empty, while its reads are not answered, and when they are refused. */
export function pageStory(story: PageStory): Story {
  const { address, always = {}, filled = {}, empty, others, elsewhere = {}, readsNothing } = story;
  const inState = (mode: Mode, answers: Answers = {}, at = address) => {
    const requests = { always, answers: { ...filled, ...answers }, mode };
    return () => <Page address={at} requests={requests} />;
  };
  const further = Object.entries({ ...(empty && { empty }), ...others });
  return {
    alone: true,
    states: {
      filled: inState("answered"),
      ...Object.fromEntries(further.map(([name, answers]) => [name, inState("answered", answers)])),
      ...Object.fromEntries(Object.entries(elsewhere).map(([name, at]) => [name, inState("answered", {}, at)])),
      ...(!readsNothing && { loading: inState("pending"), error: inState("refused") }),
    },
  };
}

function Page({ address, requests }: { address: string; requests: Parameters<typeof standIn>[0] }) {
  const [router] = useState(() => {
    standIn(requests);
    return createMemoryRouter(routes, { initialEntries: [address] });
  });
  useEffect(() => awaitReads(() => router.state.initialized), [router]);
  return (
    <QueryClientProvider client={cache}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

/** Frames without a further request, after which a page has read all. */
const quietFrames = 8;

/** Marks the document while the page reads: tests wait for its end. */
function awaitReads(isOpen: () => boolean): () => void {
  const { dataset } = document.documentElement;
  let [frames, before] = [0, 0];
  const look = () => {
    frames = isOpen() && requestCount() === before ? frames + 1 : 0;
    before = requestCount();
    if (frames < quietFrames) frame = requestAnimationFrame(look);
    else delete dataset.reads;
  };
  dataset.reads = "";
  let frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}
