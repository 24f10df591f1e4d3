import { lazy, Suspense } from "react";

const About = lazy(() => import("./About.jsx"));

export const App = () => (
  <main data-api={import.meta.env.VITE_API_URL} data-greeting={import.meta.env.VITE_GREETING}>
    <h1>release-1</h1>
    <Suspense fallback="…">
      <About />
    </Suspense>
  </main>
);
