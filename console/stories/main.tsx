import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { type Story, stories } from "./stories.ts";
import "./styles.css";

// ?story=button shows the states of a story below each other, &state=pending one alone, &theme=dark in the other theme.
// Without ?story, the list of all.

const asked = new URLSearchParams(location.search);
document.documentElement.dataset.theme = asked.get("theme") === "dark" ? "dark" : "light";

function List() {
  return (
    <main className="p-6">
      <h1 className="mb-4 font-semibold text-page">Stories</h1>
      <ul className="columns-2 sm:columns-4">
        {[...stories.keys()].map((name) => (
          <li key={name}>
            <a href={`?story=${name}`} className="text-link underline">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}

function StoryPage({ story, name }: { story: Story; name: string }) {
  const states = Object.entries(story.states);
  const { [asked.get("state") ?? ""]: State } = story.states;
  if (State)
    return story.alone ? (
      <State />
    ) : (
      <main className="p-6">
        <State />
      </main>
    );
  return (
    <main className="flex max-w-4xl flex-col gap-8 p-6 max-sm:p-4">
      <h1 className="sr-only">{name}</h1>
      {states.map(([state, Each]) => (
        <div key={state} className="flex flex-col gap-2">
          <p className="text-meta text-text-3">{state}</p>
          <div>
            <Each />
          </div>
        </div>
      ))}
    </main>
  );
}

const name = asked.get("story");
const story = stories.get(name ?? "");
// The tests read from here what there is to visit.
document.documentElement.dataset.stories = JSON.stringify(
  [...stories].flatMap(([each, { alone, states }]) =>
    alone ? Object.keys(states).map((state) => ({ story: each, state })) : [{ story: each }],
  ),
);
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>{name !== null && story ? <StoryPage story={story} name={name} /> : <List />}</StrictMode>,
);
