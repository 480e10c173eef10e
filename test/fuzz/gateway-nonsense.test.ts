// Events that Discord would never send: the code that handles them before the Discord library must not fail.
import { Client, GatewayDispatchEvents } from 'discord.js';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { answerUnhandledInteractions } from '../../src/bot/dispatch.ts';
import { watchServerMutes } from '../../src/discord/voice-channels.ts';

const NONSENSE = [null, {}, { id: '1', guild_id: '2', member: {} }, { id: '1', guild_id: '2', member: { user: null } }, { token: 'x' }];

it('an interaction without an id, token or member is ignored', async () => {
  const client = new Client({ intents: [] });
  const claimed = Promise.withResolvers<string>();
  watchServerMutes(client);
  answerUnhandledInteractions(client, {
    claim(id) {
      claimed.resolve(id);
      return false;
    },
    log: pino({ level: 'silent' }),
  });
  const tell = (interaction: object | null) => client.ws.emit(GatewayDispatchEvents.InteractionCreate, interaction, 0);
  for (const interaction of NONSENSE) expect(() => tell(interaction)).not.toThrow();
  tell({ id: 'readable', token: 'x', type: 2 });
  // Waits until the earlier events have been handled too; an exception then fails the test.
  expect(await claimed.promise).toBe('readable');
});
