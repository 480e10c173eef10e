// What browsing voices needs beside the interaction.
import type { Api } from '../api/index.ts';
import type { InteractionContext } from '../bot/command.ts';
import type { IsOperator } from '../bot/operators.ts';
import type { Settings } from '../settings/index.ts';
import type { IsServerMuted } from '../voice/server-mutes.ts';
import type { Sessions } from '../voice/types.ts';
import type { VoiceOwners } from './owners.ts';
import type { SafeFetch } from './safe-fetch.ts';
import type { VoiceTitles } from './titles.ts';

export interface VoicesContext extends InteractionContext {
  api: Api;
  voiceTitles: VoiceTitles;
  voiceOwners: VoiceOwners;
  safeFetch: SafeFetch;
  settings: Settings;
  sessions: Sessions;
  isOperator: IsOperator;
  isServerMuted: IsServerMuted;
}
