import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { ApplicationModule } from "./application.module.js";

async function bootstrap(): Promise<void> {
  const application = await NestFactory.create<NestExpressApplication>(ApplicationModule);
  application.set("trust proxy", "loopback");
  application.useBodyParser("text");
  application.enableShutdownHooks();
  await application.listen(process.env.PORT ?? 3000, process.env.HOST ?? "127.0.0.1");
}

bootstrap();
