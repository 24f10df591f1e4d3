import { bootstrapApplication } from "@angular/platform-browser";
import { Application } from "./app/application";
import { config } from "./app/config";

bootstrapApplication(Application, config);
