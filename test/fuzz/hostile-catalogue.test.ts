// A catalogue full of harmful texts, as members see it through the running bot.
import type { APIMessage } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { hostileTexts } from '../helpers/arbitrary-text.ts';
import { modelOnWire } from '../helpers/catalogue.ts';
import { expectHarmless } from '../helpers/harmless.ts';
import { textOf } from '../helpers/member.ts';
import { answerJson, type Behaviour, type MisbehavingService, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { type Parley, startParley } from '../helpers/parley.ts';

const texts = Object.values(hostileTexts);
const LINK = hostileTexts['a masked link'] ?? '';

/** Shorter than the longest ones, so that a page of five fits into one list. */
const voices = texts
  .map((text) => text.slice(0, 20_000))
  .map((text, index) =>
    modelOnWire(`voice-${index}`, {
      title: text,
      description: text,
      cover_image: text,
      created_at: text,
      tags: [text, ...Array(50).fill(text.slice(0, 500))],
      languages: [text],
      samples: [{ title: text, text, task_id: '', audio: 'x' }, ...Array(9).fill({ title: LINK, text: LINK, task_id: '', audio: 'x' })],
      author: { _id: 'a', nickname: text, avatar: '' },
    }),
  );

/** Returns pages of the catalogue; refuses everything else with a reason that quotes one of the texts. */
const behave: Behaviour = (request, response) => {
  const url = new URL(request.url ?? '', 'http://service');
  const size = Number(url.searchParams.get('page_size') ?? 10);
  const page = Number(url.searchParams.get('page_number') ?? 1);
  // Whole pages of these are longer than a list may be.
  const items = size > 5 ? [] : voices.slice((page - 1) * size, page * size);
  const answer =
    url.pathname === '/model'
      ? answerJson(200, { total: voices.length, items })
      : answerJson(422, [
          { loc: ['body', texts.join(' ').slice(0, 9_000)], type: 'x', msg: `${hostileTexts['markup in markup']} @everyone` },
        ]);
  answer(request, response);
};

describe('a hostile catalogue', () => {
  let service: MisbehavingService;
  let parley: Parley;
  beforeAll(async () => {
    service = await startMisbehavingService(behave);
    parley = await startParley({ service: { url: service.url, key: 'key' } });
  });
  afterAll(async () => {
    await parley.close();
    await service.close();
  });

  const expectSafe = (message: APIMessage) => expectHarmless(message as Parameters<typeof expectHarmless>[0]);

  const isPage = (number: number) => (message: APIMessage) =>
    textOf(message).includes(`page ${number} of`) && JSON.stringify(message.components).includes('voices-open');

  // Any voice is shown in test/unit/voices-views.test.ts.
  it('is shown as plain text only, on any page, and for the first voice of each', async () => {
    const { member } = parley;
    const interaction = await member.run('voices');
    let page = await interaction.message(isPage(1));
    const pages = Math.ceil(voices.length / 5);
    for (let number = 1; number <= pages; number++) {
      expectSafe(page);
      const begin = (number - 1) * 5;
      await member.select(page, en('voices.open'), `voice-${begin}`);
      const open = await interaction.message((message) => textOf(message).includes(`-# ID \`voice-${begin}\``));
      expectSafe(open);
      await member.click(open, 'Back');
      page = await interaction.message(isPage(number));
      if (number === pages) break;
      await member.click(page, 'Next');
      page = await interaction.message(isPage(number + 1));
    }
  });

  it('shows voice names harmlessly when they are completed, chosen, spoken in and refused', async () => {
    const { member, other, store, discord } = parley;
    const settings = createSettings(store);
    for (const [index, title] of texts.entries()) {
      const voice = { id: `voice-${index}`, title };
      await settings.changeMember(member.client.userId, (before) => ({ ...before, voice, recent: [voice], favourites: [voice] }));
      await settings.changeGuild(discord.guildId, (before) => ({
        ...before,
        voice,
        channelVoices: { [discord.channelId('Lounge')]: voice },
      }));
      for (const { name } of await member.autocomplete('say', 'voice', '')) {
        expectHarmless({ title: name });
        expect(name.trim()).not.toBe('');
      }
      const refused = await member.run('say', { text: 'Hello', send_as: 'file' });
      const sentence = await refused.sentence();
      expect(sentence.length).toBeLessThan(1000);
      expectHarmless({ content: sentence });
      const panel = await (await member.run('settings')).message((message) => textOf(message) !== '');
      expectSafe(panel);
    }
    expect(await (await other.run('say', { text: 'Hello', send_as: 'file', voice: LINK })).sentence()).toContain('The voice service');
  });
});
