import { Body, Controller, Get, Header, Inject, Post } from "@nestjs/common";
import { NotesService } from "./notes.service.js";

@Controller("notes")
export class NotesController {
  constructor(@Inject(NotesService) private readonly notes: NotesService) {}

  @Post()
  add(@Body() note: string): Promise<void> {
    return this.notes.add(note);
  }

  @Get()
  @Header("Content-Type", "text/plain")
  all(): Promise<string> {
    return this.notes.all();
  }
}
