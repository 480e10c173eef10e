// What transcription needs beside the interaction.
import type { Api } from '../api/index.ts';
import type { Attachments } from '../bot/attachments.ts';
import type { InteractionContext } from '../bot/command.ts';
import type { CreditService } from '../credit/index.ts';
import type { LengthMeters } from '../recording-length/index.ts';
import type { Store } from '../store/index.ts';

export interface TranscriptionContext extends InteractionContext {
  api: Api;
  attachments: Attachments;
  recordingLengths: LengthMeters;
  credit: CreditService;
  store: Store;
}
