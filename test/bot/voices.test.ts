// /voices: the catalogue in pages that turn, for their owner alone, after a restart too.
import { expect, it } from 'vitest';
import { isEphemeral, textOf } from '../helpers/member.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { startParley, useParley } from '../helpers/parley.ts';

/** A voice as the service returns it. */
const voice = {
  ...{ _id: 'v', type: 'tts', title: 'V', description: '', cover_image: '', state: 'trained', tags: [], visibility: 'public' },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', languages: [] },
  ...{ like_count: 0, mark_count: 0, shared_count: 0, task_count: 0, author: { _id: 'a', nickname: 'A', avatar: '' } },
};

const parley = useParley();

it('turns pages with buttons, to the last one and back', async () => {
  const { member, api } = parley;
  const { total } = await api.listModels({ pageSize: 1 });
  const pages = Math.ceil(total / 5);
  const interaction = await member.run('voices');
  const first = await interaction.message((message) => textOf(message).includes('page 1 of'));
  expect(first.embeds).toHaveLength(6);
  expect(textOf(first)).toContain(`${total} voices · page 1 of ${pages}`);
  await member.click(first, 'Next');
  const second = await interaction.message((message) => textOf(message).includes('page 2 of'));
  expect(second.embeds[1]?.title).not.toBe(first.embeds[1]?.title);
  await member.click(second, 'Last');
  const last = await interaction.message((message) => textOf(message).includes(`page ${pages} of`));
  await member.click(last, 'First');
  await interaction.message((message) => textOf(message).includes('page 1 of'));
});

it('keeps and shows its filters while turning, after a restart of the bot too', async () => {
  const filters = { title: 'clara', language: 'en, de', sort: 'task_count' };
  const interaction = await parley.member.run('voices', filters);
  const first = await interaction.message((message) => textOf(message).includes('page 1 of 2'));
  expect(first.embeds[0]?.fields?.map(({ name, value }) => [name, value.replaceAll('\\', '')])).toEqual(
    Object.entries({ ...filters, sort: 'Most used' }),
  );
  await parley.restartBot();
  await parley.member.click(first, 'Next');
  const second = await interaction.message((message) => textOf(message).includes('page 2 of 2'));
  expect(second.embeds[0]?.fields).toEqual(first.embeds[0]?.fields);
  expect(second.embeds.slice(1).length).toBeGreaterThan(0);
  const uses = [first, second].flatMap(({ embeds }) =>
    embeds.slice(1).map(({ description }) => Number(/used (\d+)×/.exec(description ?? '')?.[1])),
  );
  expect(uses).toEqual(uses.toSorted((a, b) => b - a));
  for (const { title } of second.embeds.slice(1)) expect(title).toMatch(/Clara/);
});

it('keeps any search text for every page', async () => {
  const found = answerJson(200, { total: 12, items: [voice, voice, voice, voice, voice] });
  const seen = await startMisbehavingService(found);
  const own = await startParley({ service: { url: seen.url, key: 'key' } });
  try {
    const title = '*_a_* \\ [b](https://c.example) `d` <@1> #e & f=g';
    const interaction = await own.member.run('voices', { title, tag: 'calm, dark', title_language: ' de ', author: 'a_1', mine: true });
    const first = await interaction.message((message) => textOf(message).includes('page 1 of 3'));
    await own.member.click(first, 'Next');
    await interaction.message((message) => textOf(message).includes('page 2 of 3'));
    const queries = seen.requests.filter(({ url }) => url.includes('page_size=5')).map(({ url }) => new URL(url, 'http://x').searchParams);
    expect(queries.map((query) => query.get('page_number'))).toEqual(['1', '2']);
    for (const query of queries) {
      expect(query.get('title')).toBe(title);
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

it('says so when a moderator took away what the buttons need', async () => {
  const interaction = await parley.member.run('voices');
  const first = await interaction.message((message) => textOf(message).includes('page 1 of'));
  const kept = parley.discord.world.messages.get(first.channel_id)?.find(({ id }) => id === first.id);
  if (kept) kept.embeds = [];
  const clicked = await parley.member.click(first, 'Next');
  expect(await clicked.sentence()).toContain('Run the command again');
});

it('turns only for the member who asked', async () => {
  const interaction = await parley.member.run('voices');
  const first = await interaction.message((message) => textOf(message).includes('page 1 of'));
  const clicked = await parley.other.click(first, 'Next');
  expect(await clicked.sentence()).toContain('Only the member who asked');
});

it('takes several values, separated by commas', async () => {
  const interaction = await parley.member.run('voices', { title_language: 'de, fr' });
  const reply = await interaction.message((message) => message.embeds.length > 0);
  expect(textOf(reply)).toContain('2 voices · page 1 of 1');
  expect(textOf(reply)).toContain('Ruhige Erzählerin');
  expect(textOf(reply)).toContain('Le conteur écossais');
});

it('attaches covers that Discord could not load by their address', async () => {
  const interaction = await parley.member.run('voices');
  const first = await interaction.message((message) => textOf(message).includes('page 1 of'));
  for (const embed of first.embeds.slice(1)) expect(embed.thumbnail?.url).toMatch(new RegExp(`^${parley.discord.cdnUrl}/attachments/`));
});

it('says so when a page is past the end', async () => {
  const interaction = await parley.member.run('voices', { page: 900 });
  expect(await interaction.sentence()).toMatch(/There is no page 900: the last one is page \d+/);
  await interaction.deleted();
});

it('says so when nothing fits', async () => {
  const interaction = await parley.member.run('voices', { title: 'no such title anywhere' });
  expect(await interaction.sentence()).toContain('No voice fits these filters');
});

it('shows no private voices on pages for everybody, though the service lists them to its own account', async () => {
  const interaction = await parley.member.run('voices', { title: 'my' });
  expect(await interaction.sentence()).toContain('No voice fits these filters');
  const own = await parley.member.run('voices', { title: 'my', mine: true });
  expect(textOf(await own.message((message) => message.embeds.length > 0))).toContain('My robot');
});

it('shows the own voices to operators alone, and to their eyes alone', async () => {
  const refused = await parley.other.run('voices', { mine: true });
  expect(await refused.sentence()).toContain('belong to the account of whoever runs me');
  const interaction = await parley.member.run('voices', { mine: true });
  const reply = await interaction.message((message) => message.embeds.length > 0 || message.content !== '');
  expect(isEphemeral(reply)).toBe(true);
});
