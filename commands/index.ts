// Every command there is.
import type { Command } from '../src/command.ts';
import { credit } from './credit.ts';
import { say } from './say.ts';
import { settings } from './settings.ts';
import { transcribe, transcribeMessage } from './transcribe.ts';
import { voices } from './voices.ts';

export const commands: Command[] = [say, transcribe, transcribeMessage, voices, credit, settings];
