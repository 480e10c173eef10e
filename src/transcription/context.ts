// What transcription needs beside the interaction: services, and what the member wants.
import type { Api } from '../api/index.ts';
import type { Attachments } from '../bot/attachments.ts';
import type { InteractionContext } from '../bot/command.ts';
import type { CreditService } from '../credit/index.ts';
import type { DurationMeters } from '../recording-length/index.ts';
import type { Store } from '../store/index.ts';
import type { AcceptedLanguages } from './accepted-languages.ts';
import type { TranscriptFormat } from './transcript-file.ts';

export interface TranscriptionContext extends InteractionContext {
  api: Api;
  attachments: Attachments;
  recordingDurations: DurationMeters;
  credit: CreditService;
  store: Store;
  transcriptionLanguages: AcceptedLanguages;
}

export interface TranscribeOptions {
  /** BCP 47, or whatever the service accepts; null = detected by the service. */
  language: string | null;
  /** Shows when each paragraph begins. */
  timestamps: boolean;
  /** Attached besides the .json. */
  format: TranscriptFormat | null;
  /** Only the member sees the replies. */
  isPrivate: boolean;
}
