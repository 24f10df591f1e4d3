import type { ApplicationConfig } from "@angular/core";
import { provideClientHydration } from "@angular/platform-browser";
import { provideRouter, type Routes, withComponentInputBinding } from "@angular/router";
import { Home } from "./home";

const routes: Routes = [
  { path: "", component: Home },
  { path: "users/:name", loadComponent: async () => (await import("./user")).User },
];

export const config: ApplicationConfig = {
  providers: [provideRouter(routes, withComponentInputBinding()), provideClientHydration()],
};
