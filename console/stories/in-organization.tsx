import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";

/** A part of a page at its address in organization 1, with what it would have read. */
export function InOrganization({ children, path = "", known = [] }: InOrganizationProps) {
  const router = createMemoryRouter([{ path: "/o/:organization/*", element: children }], {
    initialEntries: [`/o/1${path}`],
  });
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  for (const [key, value] of known) client.setQueryData(key, value);
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

interface InOrganizationProps {
  children: ReactNode;
  /** Below the organization. */
  path?: string;
  known?: readonly (readonly [key: readonly unknown[], value: unknown])[];
}
