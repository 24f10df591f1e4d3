import { Module } from "@nestjs/common";
import { NotesController } from "./notes.controller.js";
import { NotesService } from "./notes.service.js";
import { PagesController } from "./pages.controller.js";

@Module({ controllers: [PagesController, NotesController], providers: [NotesService] })
export class ApplicationModule {}
