import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { cache } from "./data/cache.ts";
import { reloadForMissingChunks } from "./reload.ts";
import { router } from "./routes.tsx";
import "./styles.css";

reloadForMissingChunks();
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
