// Read this aloud, on a message: speaks it in the member's voice channel. Needs no privileged intent: Discord sends the message along.
import { ApplicationCommandType, InteractionContextType } from 'discord.js';
import type { MessageCommand } from '../src/discord/command.ts';
import { readAloud as readMessageAloud } from '../src/reading/read-aloud.ts';
import type { ReadingCommandContext } from '../src/reading/types.ts';

export const readAloud = {
  data: { type: ApplicationCommandType.Message, name: 'Read this aloud', contexts: [InteractionContextType.Guild] },
  spends: 'speech',
  run: readMessageAloud,
} satisfies MessageCommand<ReadingCommandContext>;
