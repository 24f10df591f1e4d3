import { mergeApplicationConfig } from "@angular/core";
import { type BootstrapContext, bootstrapApplication } from "@angular/platform-browser";
import { provideServerRendering, RenderMode, type ServerRoute, withRoutes } from "@angular/ssr";
import { Application } from "./app/application";
import { config } from "./app/config";

const routes: ServerRoute[] = [{ path: "**", renderMode: RenderMode.Server }];
const serverConfig = mergeApplicationConfig(config, { providers: [provideServerRendering(withRoutes(routes))] });

export default (context: BootstrapContext) => bootstrapApplication(Application, serverConfig, context);
