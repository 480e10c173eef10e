// What members get of natural voices, with tones in their place: in /say, as a voice message, read aloud, and from the cache of another start.

import { type APIMessage, MessageFlags } from 'discord.js';
import { afterAll, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { filesOf, isEphemeral, statusOf, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { useParley } from '../helpers/parley.ts';
import { createToneEngines, toneEngines } from '../helpers/voice-service.ts';

const slow = createToneEngines({ natural: { realTimeFactor: 1, keepsUp: false } });
afterAll(() => slow.close());

const HEART = { id: 'heart', title: 'Heart' };
/** Longer than the voice may speak in the voice channel. */
const LONG = 'The north wind and the sun were arguing about which of them was the stronger. '.repeat(4).trim();

const STAND_IN = en('say.standIn', { usedVoice: 'Clara' });

/** What the file of a message says. */
async function said(message: APIMessage): Promise<string> {
  const [{ url = '' } = {}] = filesOf(message);
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  return (await toneEngines().transcribe({ audio: bytes, timestamps: false })).text;
}

const parley = useParley({ engines: slow }, { readMessages: true });

describe('a text without a chosen voice', () => {
  it('is spoken naturally if it is short', async () => {
    const file = await parley.member.run('say', { text: 'Good evening.', send_as: 'file' });
    const sent = await file.message((one) => filesOf(one).length > 0);
    expect(await said(sent)).toBe('af_heart. Good evening.');
    expect(textOf(sent)).not.toContain(STAND_IN);
  });

  it('is spoken by the first voice that keeps up if it is long, and the reply names it', async () => {
    const { member } = parley;
    await member.listen();
    const spoken = await member.run('say', { text: LONG });
    await spoken.message((message) => textOf(message).includes(STAND_IN));
    await member.run('stop');
    const file = await member.run('say', { text: LONG, send_as: 'file' });
    const sent = await file.message((one) => filesOf(one).length > 0);
    expect(textOf(sent)).toContain(STAND_IN);
    expect(await said(sent)).toBe(LONG);
  });
});

describe('a slow voice', () => {
  it('speaks what is short enough, and says of anything longer how long it may be, before it is charged', async () => {
    const { member } = parley;
    const balance = async () => Number((await parley.api.getCredit()).credit);
    await member.listen();
    const spoken = await member.run('say', { text: 'Good morning.', voice: 'heart' });
    expect(statusOf(await spoken.message((message) => textOf(message).includes(openingOf('say.spoken'))))).toContain('13 characters');
    const before = await balance();
    const refused = await member.run('say', { text: LONG, voice: 'heart' });
    const reply = await refused.message((message) => textOf(message).includes('too long'));
    expect(textOf(reply)).toBe(en('say.tooSlow', { count: 220 }));
    expect(isEphemeral(reply)).toBe(true);
    expect(await balance()).toBe(before);
  });

  it('takes its time with voice messages and files', async () => {
    const { member } = parley;
    const message = await member.run('say', { text: LONG, voice: 'heart', send_as: 'message' });
    await message.message(({ flags }) => ((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0);
    const file = await member.run('say', { text: `${LONG} Again.`, voice: 'heart', send_as: 'file' });
    await file.message((sent) => filesOf(sent).length > 0);
  });

  it('isn’t read aloud in: /read status tells whoever has chosen it', async () => {
    const { member } = parley;
    await createSettings(parley.store).changeMember(member.client.userId, (before) => ({ ...before, voice: HEART }));
    const status = await member.run('read status');
    const shown = await status.message((message) => textOf(message).includes('Reading aloud'));
    expect(textOf(shown)).toContain(en('reading.status.slowVoice', { voice: 'Heart**' }));
  });
});
