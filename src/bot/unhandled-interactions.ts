// Answers interactions that discord.js does not pass on, because it fails on them or does not know their kind: members wait all the same.
import { type APIInteraction, type Client, GatewayDispatchEvents, InteractionResponseType, InteractionType, Routes } from 'discord.js';
import { wordsFor } from '../locales/index.ts';
import type { Log } from '../log.ts';
import { describeError, privateNotice } from './error-boundary.ts';

/** Discord waits 3 s. discord.js gets the first half: it may hold back interactions while it loads its guilds. */
const WAIT_MS = 1_500;

/** @param claim returns true if nobody has started on the interaction; it is then answered here */
export function answerUnhandledInteractions(client: Client, claim: (id: string) => boolean, log: Log): void {
  async function answer({ id, token, type, ...interaction }: APIInteraction): Promise<void> {
    const body =
      type === InteractionType.ApplicationCommandAutocomplete
        ? { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices: [] } }
        : {
            type: InteractionResponseType.ChannelMessageWithSource,
            data: privateNotice(wordsFor('locale' in interaction ? interaction.locale : null).general.unreadableInteraction),
          };
    try {
      await client.rest.post(Routes.interactionCallback(id, token), { body, auth: false });
      log.warn({ command: id, type }, 'an interaction could not be read; the member was told');
    } catch (error) {
      log.warn({ command: id, type, ...describeError(error) }, 'an interaction could not be read, and telling the member failed');
    }
  }

  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction | null) => {
    // Without an id and a token there is no answering it.
    if (!interaction?.id || !interaction.token) return;
    setTimeout(() => claim(interaction.id) && void answer(interaction), WAIT_MS).unref();
  });
}
