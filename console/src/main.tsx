import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { watchMissingChunks } from "./api/missing-chunk.ts";
import { cache } from "./data/cache.ts";
import { routes } from "./routes.tsx";
import "./styles.css";

watchMissingChunks();
const router = createBrowserRouter(routes);
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
