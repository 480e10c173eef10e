// Interactions that the Discord library fails on, or knows no kind for: it passes nothing on, and yet their members wait for an answer.
import {
  type APIInteraction,
  type Client,
  GatewayDispatchEvents,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  Routes,
} from 'discord.js';
import { en } from '../locales/en/index.ts';
import type { Log } from '../log.ts';
import { describeError } from './error-boundary.ts';

/** Discord waits for 3 s. The library may hold back what came while it was still reading its guilds: it has the first half of them. */
const WAIT_MS = 1_500;

/** @param claim true where nobody has begun with this interaction, who then is the one that answers it. */
export function answerUnhandledInteractions(client: Client, claim: (id: string) => boolean, log: Log): void {
  async function answer({ id, token, type }: APIInteraction): Promise<void> {
    const body =
      type === InteractionType.ApplicationCommandAutocomplete
        ? { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices: [] } }
        : {
            type: InteractionResponseType.ChannelMessageWithSource,
            data: { content: en.general.unreadableInteraction, flags: MessageFlags.Ephemeral },
          };
    try {
      await client.rest.post(Routes.interactionCallback(id, token), { body, auth: false });
      log.warn({ command: id, type }, 'an interaction could not be read, and its member was told');
    } catch (error) {
      log.warn({ command: id, type, ...describeError(error) }, 'an interaction could not be read, nor its member told');
    }
  }

  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction | null) => {
    // Nobody waits for what cannot be answered.
    if (!interaction?.id || !interaction.token) return;
    const timer = setTimeout(() => claim(interaction.id) && void answer(interaction), WAIT_MS);
    timer.unref();
  });
}
