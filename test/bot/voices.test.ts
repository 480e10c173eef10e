// /voices: the catalogue in pages that turn, for their owner alone, after a restart too.
import { type APIMessage, type APISectionComponent, ComponentType, Locale } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createVoiceOwners } from '../../src/voice-catalogue/owners.ts';
import { makeCatalogue, modelOnWire } from '../helpers/catalogue.ts';
import { filesOf, isEphemeral, partsOf, textOf } from '../helpers/member.ts';
import { answerJson, type Behaviour, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { type Parley, startParley, useParley } from '../helpers/parley.ts';

const parley = useParley();

const isPage = (message: APIMessage) => /\d\+? voices?\b/.test(textOf(message));
const sectionsOf = (message: APIMessage) =>
  partsOf(message.components).filter((part): part is APISectionComponent => part.type === ComponentType.Section);
/** The titles on a page, in order. */
const titlesOf = (message: APIMessage) => [...textOf(message).matchAll(/^\*\*(.+)\*\*$/gm)].map(([, title]) => title);
const placeholders = (message: APIMessage) =>
  partsOf(message.components).flatMap((part) => (part.type === ComponentType.StringSelect ? [part.placeholder] : []));

describe('/voices', () => {
  it('shows five voices with covers, for the member alone, and turns pages', async () => {
    const { member } = parley;
    const interaction = await member.run('voices');
    const first = await interaction.message((message) => textOf(message).includes('page 1 of'));
    expect(isEphemeral(first)).toBe(true);
    expect(textOf(first)).toMatch(/### Voices\n32 voices · page 1 of 7/);
    expect(sectionsOf(first)).toHaveLength(5);
    for (const { accessory } of sectionsOf(first)) {
      expect(accessory.type).toBe(ComponentType.Thumbnail);
      if (accessory.type === ComponentType.Thumbnail)
        expect(accessory.media.url).toMatch(new RegExp(`^${parley.discord.cdnUrl}/attachments/`));
    }
    expect(textOf(first)).toContain('**Clara**\nA clear, friendly American woman.');
    expect(textOf(first)).toContain('-# English · Female, American, Clear, Conversation');
    expect(placeholders(first)).toEqual([en('voices.hearOne'), en('voices.useOne'), en('voices.open')]);
    await member.click(first, 'Next');
    const second = await interaction.message((message) => textOf(message).includes('page 2 of'));
    expect(titlesOf(second)).toHaveLength(5);
    expect(titlesOf(second)).not.toContain('Clara');
    await member.click(second, 'Previous');
    const again = await interaction.message((message) => textOf(message).includes('page 1 of'));
    expect(titlesOf(again)).toEqual(titlesOf(first));
  });

  it('keeps and shows its filters while turning, after a restart of the bot too', async () => {
    const { member } = parley;
    const interaction = await member.run('voices', { title: 'clara', language: 'English', sort: 'task_count' });
    const first = await interaction.message((message) => textOf(message).includes('page 1 of 2'));
    expect(textOf(first)).toContain('\n-# **title** clara · **language** English `en` · **sort** Most used');
    await parley.restartBot();
    await member.click(first, 'Next');
    const second = await interaction.message((message) => textOf(message).includes('page 2 of 2'));
    expect(textOf(second)).toContain('\n-# **title** clara · **language** English `en` · **sort** Most used');
    for (const title of [...titlesOf(first), ...titlesOf(second)]) expect(title).toMatch(/^Clara/);
    expect(titlesOf(first)[0]).toBe('Clara');
  });

  it('shows and opens voices of which a service tells no more than the id and the title', async () => {
    const seen = await startMisbehavingService(
      answerJson(200, { total: 2, items: ['one', 'two'].map((_id) => ({ _id, title: `No. ${_id}` })) }),
    );
    const bare = await startParley({ service: { url: seen.url, key: 'key' } });
    try {
      const { member } = bare;
      const interaction = await member.run('voices');
      const first = await interaction.message(isPage);
      expect(titlesOf(first)).toEqual(['No. one', 'No. two']);
      expect(await member.autocomplete('voices', 'author', '')).toEqual([]);
      await member.select(first, en('voices.open'), 'two');
      expect(textOf(await interaction.message((message) => textOf(message).includes('## No. two')))).toContain('`two`');
    } finally {
      await bare.close();
      await seen.close();
    }
  });

  it('keeps any search text for every page', async () => {
    const models = Array.from({ length: 5 }, (_, place) => modelOnWire(`v${place}`));
    const seen = await startMisbehavingService(answerJson(200, { total: 1200, items: models }));
    const own = await startParley({ service: { url: seen.url, key: 'key' } });
    try {
      const title = '*_a_* \\ [b](https://c.example) `d` <@1> #e & f=g';
      const interaction = await own.member.run('voices', {
        title,
        tag: 'calm, dark',
        title_language: ' Deutsch ',
        author: 'a_1',
        mine: true,
      });
      const first = await interaction.message((message) => textOf(message).includes('page 1 of 240'));
      await own.member.click(first, 'Next');
      await interaction.message((message) => textOf(message).includes('page 2 of 240'));
      const queries = seen.requests.map(({ url }) => new URL(url, 'http://x').searchParams).filter((query) => query.get('title') === title);
      expect(queries.map((query) => [query.get('page_size'), query.get('page_number')])).toEqual([
        ['100', '1'],
        ['100', '1'],
        ['5', '2'],
      ]);
      for (const query of queries) {
        expect(query.getAll('tag')).toEqual(['calm', 'dark']);
        expect(query.getAll('title_language')).toEqual(['de']);
        expect(query.get('self')).toBe('true');
        expect(query.get('sort_by')).toBe('score');
      }
    } finally {
      await own.close();
      await seen.close();
    }
  });

  it('takes languages by name and code, and several separated by commas', async () => {
    const find = async (title_language: string) => {
      const interaction = await parley.member.run('voices', { title_language });
      return titlesOf(await interaction.message(isPage)).toSorted();
    };
    const german = ['Ruhige Erzählerin'];
    for (const typed of ['de', 'DE', 'german', 'Deutsch']) expect(await find(typed)).toEqual(german);
    expect(await find('german, français')).toEqual(['Le conteur écossais', ...german]);
  });

  it('suggests tags, languages and authors that the catalogue has shown', async () => {
    const { member } = parley;
    const suggest = async (option: string, typed: string) => (await member.autocomplete('voices', option, typed)).map(({ name }) => name);
    await expect.poll(() => suggest('tag', 'scot')).toEqual(['scottish']);
    expect((await suggest('tag', '')).slice(0, 3)).toEqual(['male', 'american', 'female']);
    expect(await suggest('tag', 'calm, scot')).toEqual(['calm, scottish']);
    expect(await suggest('tag', 'calm, calm')).toEqual([]);
    for (const typed of ['engl', 'EN', '']) expect(await suggest('language', typed)).toContain('English');
    expect(await member.autocomplete('voices', 'author', 'studio')).toEqual([{ name: 'Parley studio', value: 'studio' }]);
    const interaction = await member.run('voices', { author: 'parley STUDIO' });
    expect(textOf(await interaction.message(isPage))).toContain('-# **author** Parley studio `studio`');
  });

  it('names tags in the member’s language, and finds voices by these names', async () => {
    const { other } = parley;
    await other.client.call('set_locale', { locale: Locale.German });
    onTestFinished(async () => void (await other.client.call('set_locale', { locale: Locale.EnglishUS })));
    await expect.poll(() => other.autocomplete('voices', 'tag', 'schott')).toEqual([{ name: 'schottisch', value: 'scottish' }]);
    const page = await (await other.run('voices', { tag: 'Schottisch' })).message((message) => titlesOf(message).length > 0);
    expect(textOf(page)).toMatch(/^-# Englisch · .*Schottisch/m);
  });

  it('leaves out voices that cannot speak, unless they are asked for', async () => {
    const { member } = parley;
    const refused = await member.run('voices', { title: 'choir' });
    expect(await refused.sentence()).toContain(en('voices.noneFound'));
    const all = await (await member.run('voices', { tag: 'singing', all: true })).message(isPage);
    expect(titlesOf(all)).toContain('Clara, singing');
    expect(textOf(all)).toContain(en('voices.sings'));
    expect(placeholders(all)).not.toContain(en('voices.useOne'));
  });

  it('shows a page to everybody on request, who cannot use its buttons', async () => {
    const { member, other } = parley;
    const page = await (await member.run('voices', { title: 'clara' })).message(isPage);
    const shared = await (await member.click(page, en('voices.share'))).message(isPage);
    expect(isEphemeral(shared)).toBe(false);
    expect(titlesOf(shared)).toEqual(titlesOf(page));
    expect(JSON.stringify(shared.components)).not.toContain('voices-share');
    expect(await (await other.click(shared, 'Next')).sentence()).toContain('/voices');
    await member.click(shared, 'Next');
    const next = await member.sees((message) => message.id === shared.id && textOf(message).includes('page 2 of 2'));
    expect(isEphemeral(next)).toBe(false);
  });

  it('says so when a page is past the end', async () => {
    const interaction = await parley.member.run('voices', { page: 900 });
    expect(await interaction.sentence()).toContain(en('voices.pageOutOfRange', { page: 900, pages: 7 }));
  });

  it('shows no private voices, though the service lists them to its own account', async () => {
    const interaction = await parley.member.run('voices', { title: 'my' });
    expect(await interaction.sentence()).toContain(en('voices.noneFound'));
    const own = await (await parley.member.run('voices', { title: 'my', mine: true })).message(isPage);
    expect(titlesOf(own)).toContain('My robot');
    expect(JSON.stringify(own.components)).not.toContain('voices-share');
  });

  it('shows the own voices to operators alone', async () => {
    const refused = await parley.other.run('voices', { mine: true });
    expect(await refused.sentence()).toContain(en('voices.ownVoicesForOperators'));
  });

  it('fills its pages from all that a small search finds, and skips what cannot be shown in a large one', async () => {
    const sings = (id: string) => modelOnWire(id, { type: 'svc' });
    const mixed = (count: number) =>
      Array.from({ length: count }, (_, place) => (place % 2 ? modelOnWire(`v${place}`) : sings(`s${place}`)));
    let models = mixed(20);
    const behave: Behaviour = (request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const [size, page] = ['page_size', 'page_number'].map((name) => Number(query.get(name) ?? 1)) as [number, number];
      // Ten at most, like services that cap their pages.
      const items = models.slice(Math.min(size, 10) * (page - 1), Math.min(size, 10) * page);
      answerJson(200, { total: models.length, items: models.length > 10 ? items : models })(request, response);
    };
    const service = await startMisbehavingService(behave);
    const own = await startParley({ service: { url: service.url, key: 'key' } });
    const show = async (page: number) => textOf(await (await own.member.run('voices', { page })).message(isPage));
    try {
      models = mixed(10);
      expect(await show(1)).toMatch(/5 voices\n[\s\S]*v1\b[\s\S]*v9\b/);
      models = mixed(40);
      expect(await show(1)).toMatch(/40 voices · page 1 of 8\n[\s\S]*v1\b[\s\S]*v3\b/);
      expect(await show(6)).toMatch(/page 6 of 8\n[\s\S]*v25\b[\s\S]*v29\b/);
      models = [...mixed(10), ...Array.from({ length: 10 }, (_, place) => sings(`x${place}`))];
      expect(await show(3)).toContain(en('voices.nothingOnPage'));
    } finally {
      await own.close();
      await service.close();
    }
  });
});

describe('/voices at a service that lists no more than the first thousand voices of a query', () => {
  const windowed = useParley({ like: 'hosted', catalogue: makeCatalogue(2000) });
  const show = async (options: Record<string, string | number>) =>
    textOf(await (await windowed.member.run('voices', options)).message((message) => isPage(message) || textOf(message).includes('page')));

  it('says that there are more, has a last page that is there, and invites to search', async () => {
    const first = await show({});
    expect(first).toContain(`### Voices\n1,000+ voices · page 1 of 200\n-# ${en('voices.narrowDown')}`);
    expect(await show({ page: 200 })).toContain('page 200 of 200');
    for (const page of [201, 900])
      expect(await (await windowed.member.run('voices', { page })).sentence()).toContain(en('voices.pageOutOfRange', { page, pages: 200 }));
    const narrow = await show({ title: 'voice 17' });
    expect(narrow).toMatch(/^### Voices\n\d+ voices · page 1 of/);
    expect(narrow).not.toContain(en('voices.narrowDown'));
  });

  it('takes the id or the link of a voice that no list reaches, and tells its title; it isn’t offered if it is unlisted', async () => {
    const { member } = windowed;
    const say = async (voice: string) => {
      const interaction = await member.run('say', { text: 'Hello there.', voice, send_as: 'file' });
      return textOf(await interaction.message((message) => filesOf(message).length > 0));
    };
    expect(await say('model-1983')).toContain('Voice 1983 slow');
    expect(await say('https://voices.example/m/model-1981/?from=share#top')).toContain('Voice 1981 ');
    expect(await say('model-1984')).toContain('Voice 1984 '); // Unlisted.
    const offered = async (typed: string) => (await windowed.other.autocomplete('say', 'voice', typed)).map(({ name }) => name).join();
    expect(await offered('Voice 1983')).toContain('Voice 1983');
    expect(await offered('Voice 1984')).not.toContain('Voice 1984');
  });
});

describe('a voice that is no longer listed', () => {
  let answerOne: Behaviour;
  let isListed = true;
  const list = (items: object[], more = {}) => answerJson(200, { total: 5000, items, has_more: true, window_limited: true, ...more });
  const others = Array.from({ length: 100 }, (_, place) => modelOnWire(`other-${place}`));

  const cases: [string, Behaviour, boolean][] = [
    ['public', answerJson(200, modelOnWire('voice-x', { title: 'Rare' })), true],
    ['unlisted', answerJson(200, modelOnWire('voice-x', { title: 'Rare', visibility: 'unlist' })), true],
    ['private', answerJson(200, modelOnWire('voice-x', { title: 'Rare', visibility: 'private' })), false],
    ['another one than was asked for', answerJson(200, modelOnWire('voice-y', { title: 'Rare' })), false],
    ['of no known kind', answerJson(200, { _id: 'voice-x', title: 'Rare', visibility: 7 }), false],
    ['deleted', answerJson(404, { status: 404, message: 'Not found' }), false],
    ['somebody else’s', answerJson(403, { status: 403, message: 'Forbidden' }), false],
  ];

  async function openUnlisted(own: Parley): Promise<string> {
    isListed = true;
    const interaction = await own.member.run('voices');
    const page = await interaction.message(isPage);
    isListed = false;
    const opening = await own.member.select(page, en('voices.open'), 'voice-x');
    const opened = interaction.message((message) => textOf(message).includes('## Rare'));
    return Promise.any([opened.then(textOf), opening.sentence()]);
  }

  it('is there if the service has it by its id and anybody may use it, and otherwise gone', async () => {
    const seen = await startMisbehavingService((request, response) => {
      const behave = request.url?.startsWith('/model/')
        ? answerOne
        : list(isListed ? [modelOnWire('voice-x'), ...others.slice(1)] : others);
      behave(request, response);
    });
    const own = await startParley({ service: { url: seen.url, key: 'key' } });
    try {
      for (const [what, behave, isThere] of cases) {
        answerOne = behave;
        expect((await openUnlisted(own)).includes('## Rare'), what).toBe(isThere);
      }
      // One that a member made, or has deleted, is theirs, whatever the service says.
      answerOne = answerJson(200, modelOnWire('voice-x', { title: 'Rare' }));
      await createVoiceOwners(own.store).markDeleted('voice-x');
      isListed = false;
      const interaction = await own.member.run('say', { text: 'Hello.', voice: 'voice-x', send_as: 'file' });
      expect(await interaction.sentence()).toContain(en('say.unknownVoice', { typed: 'voice-x' }).slice(0, 20));
    } finally {
      await own.close();
      await seen.close();
    }
  });
});

describe('the last page of a service that contradicts itself', () => {
  const models = (count: number, from = 0) => Array.from({ length: count }, (_, place) => modelOnWire(`v${from + place}`));
  /** Lists so many voices. */
  const listing =
    (count: number, about: Record<string, unknown>): Behaviour =>
    (request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const [size, page] = ['page_size', 'page_number'].map((name) => Number(query.get(name) ?? 1)) as [number, number];
      const from = size * (page - 1);
      answerJson(200, { items: models(Math.max(0, Math.min(size, count - from)), from), ...about })(request, response);
    };
  let behave = listing(0, {});

  it.each([
    ['a total beyond the window, and no bound', 150, { total: 153, window_limited: true }, '153+ voices · page 1 of 31', 30],
    ['an inexact total', 150, { total: 400, total_is_exact: false }, '400+ voices · page 1 of 80', 30],
    ['a bound below the total', 150, { total: 400, window_limited: true, accessible_upper_bound: 150 }, '150+ voices · page 1 of 30', 30],
    [
      'nonsense in place of the bound',
      150,
      { total: 150, window_limited: 'yes', accessible_upper_bound: -1, has_more: 'no' },
      '150 voices · page 1 of 30',
      30,
    ],
    ['no more after a full page of an exact list', 150, { total: 150, has_more: false }, '150 voices · page 1 of 30', 30],
    ['more after all that there is', 7, { total: 7, has_more: true }, '7 voices · page 1 of 2', 2],
  ])('%s: is one that is there', async (_, count, about, headline, last) => {
    const seen = await startMisbehavingService((...exchange) => behave(...exchange));
    const own = await startParley({ service: { url: seen.url, key: 'key' } });
    behave = listing(count, about);
    try {
      expect(textOf(await (await own.member.run('voices')).message(isPage))).toContain(headline);
      const refusal = await (await own.member.run('voices', { page: 300 })).sentence();
      expect(refusal).toContain(en('voices.pageOutOfRange', { page: 300, pages: last }));
      await (await own.member.run('voices', { page: last })).message((message) => textOf(message).includes(`v${count - 1}`));
    } finally {
      await own.close();
      await seen.close();
    }
  });
});
