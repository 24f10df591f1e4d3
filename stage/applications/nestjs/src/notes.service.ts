import { appendFile, readFile } from "node:fs/promises";
import { Injectable } from "@nestjs/common";

const notes = "data/notes.txt";

@Injectable()
export class NotesService {
  add(note: string): Promise<void> {
    return appendFile(notes, `${note}\n`);
  }

  all(): Promise<string> {
    return readFile(notes, "utf8");
  }
}
