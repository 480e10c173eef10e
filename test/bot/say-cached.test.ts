// Repeating or saving speech: free while it is cached, charged once it is not, and never visible to others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toOpusPackets } from '../../src/audio/index.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { filesOf, type Member, statusOf, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { inChunks, listen, measureLoudness } from '../helpers/sound.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

const TEXT = 'One two.';
/** One sentence, and so one call, which is charged in full even if it is skipped. */
const LONG = 'a bird is in a tree near a pond, and sings of all that it has seen, '.repeat(4).trim();

let service: TestVoiceService;
let parley: Parley;

async function start(budget = Number.POSITIVE_INFINITY): Promise<void> {
  service = await startTestVoiceService();
  const caps = { member: budget, guild: Number.POSITIVE_INFINITY };
  parley = await startParley({ service, cacheBytes: 10_000_000, discord: { guilds: 2 }, budgets: { speech: caps, transcription: caps } });
}

async function end(): Promise<void> {
  await parley.close();
  await service.close();
}

const balance = async () => Number((await parley.api.getCredit()).credit);

async function say(who: Member, text: string): Promise<string> {
  const interaction = await who.run('say', { text });
  return textOf(await interaction.message((message) => textOf(message).includes(openingOf('say.spoken'))));
}

describe('a cached text that waits in the queue', () => {
  beforeAll(() => start(LONG.length + 2 * TEXT.length));
  afterAll(end);

  it('is charged again, or refused with an explanation, once its member has deleted the sound', async () => {
    const { member } = parley;
    await member.listen();
    await say(member, TEXT);
    const price = 1000 - (await balance());
    // Slowly, so that it lasts until all that follows has been done.
    const before = await member.run('say', { text: LONG, speed: 0.5 });
    const speaking = await before.message((message) => textOf(message).includes(en('say.speaking')));
    const interactions = [];
    for (const place of [en('say.queued', { before: 1 }), en('say.queued', { before: 2 }), en('say.queued', { before: 3 })]) {
      const one = await member.run('say', { text: TEXT, speed: 1 });
      await one.message((message) => textOf(message).includes(place));
      interactions.push(one);
    }
    const [next, ...others] = interactions;

    const privacy = await (await member.run('privacy')).message((message) => textOf(message) !== '');
    await member.click(privacy, 'Delete my data');
    await member.click(
      await member.sees((one) => one.id === privacy.id && JSON.stringify(one.components).includes('delete-now')),
      'privacy:delete-now',
    );
    await member.sees((one) => one.id === privacy.id && textOf(one).includes('Done'));

    await member.click(speaking, en('say.skipButton'));
    const paid = await next?.message((message) => textOf(message).includes(openingOf('say.spoken')));
    expect(paid && statusOf(paid)).toContain(`${TEXT.length} characters`);
    for (const one of others)
      expect(await one.sentence()).toMatch(
        /^The cached sound was deleted while this text waited.* You’ve used up your speech budget for today\./,
      );
    expect(1000 - (await balance())).toBeCloseTo((price * (LONG.length + 2 * TEXT.length)) / TEXT.length, 6);
  });
});

describe('a cached text', () => {
  beforeAll(() => start());
  afterAll(end);

  it('is saved as a file without a call, at the usual loudness', async () => {
    const { member, discord, store } = parley;
    await createSettings(store).changeGuild(discord.guildId, (guild) => ({ ...guild, volume: 0.5 }));
    await member.listen();
    const interaction = await member.run('say', { text: 'One two three four.' });
    const reply = await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
    const before = await balance();
    const saved = await member.select(reply, en('say.moreMenu'), en('say.saveAsFile'));
    const message = await saved.message((message) => filesOf(message).length > 0);
    expect(filesOf(message)[0]?.name).toMatch(/\.ogg$/);
    expect(statusOf(message)).toContain(en('say.fromCache'));
    expect(await balance()).toBe(before);
    const bytes = new Uint8Array(await (await fetch(String(filesOf(message)[0]?.url))).arrayBuffer());
    const { sound } = await listen(toOpusPackets(inChunks(bytes, 4096), { volume: 0.999 }));
    // Half as loud is −22 LUFS; in the file it is −16 again.
    expect(measureLoudness(sound, 48_000)).toBeGreaterThan(-19);
    await createSettings(store).resetGuild(discord.guildId);
  });

  it('costs as much in another server and in direct messages as if it had never been said', async () => {
    const { member, discord } = parley;
    await member.listen();
    await say(member, 'Told here.');
    expect(await say(member, 'Told here.')).toContain(en('say.fromCache'));
    const file = async (who: Member) => {
      const interaction = await who.run('say', { text: 'Told here.', send_as: 'file' });
      return textOf(await interaction.message((message) => filesOf(message).length > 0));
    };
    expect(await file(member)).toContain(en('say.fromCache'));
    expect(await file(await member.inDm())).not.toContain(en('say.fromCache'));
    const elsewhere = discord.guildIds.find((id) => id !== discord.guildId);
    expect(await file(member.inChannel(discord.channelId('general', elsewhere)))).not.toContain(en('say.fromCache'));
  });
});
