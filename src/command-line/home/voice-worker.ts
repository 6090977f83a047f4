import path from 'node:path';
import { writeHomeFile } from './json-file.ts';

/** What a voice worker on this machine needs to be a client of this server. */
export interface VoiceWorkerFile {
  readonly url: string;
  readonly key: string;
}

/** @throws CommandError if PARLEY_HOME cannot be written */
export function writeVoiceWorkerFile(home: string, content: VoiceWorkerFile): void {
  writeHomeFile(path.join(home, 'voice-worker.json'), content);
}
