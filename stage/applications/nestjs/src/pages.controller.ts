import { Controller, Get, Ip } from "@nestjs/common";

const release = "release-1";

@Controller()
export class PagesController {
  @Get()
  home(): string {
    return `<!doctype html><html><body><h1>${release}</h1></body></html>`;
  }

  @Get("api/status")
  status(@Ip() ip: string): { release: string; ip: string } {
    return { release, ip };
  }
}
