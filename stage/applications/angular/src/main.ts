import { bootstrapApplication } from "@angular/platform-browser";
import { provideRouter } from "@angular/router";
import { Application } from "./app/application";
import { routes } from "./app/routes";

bootstrapApplication(Application, { providers: [provideRouter(routes)] });
