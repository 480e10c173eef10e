// A check of whole messages against Discord's limits, independent of the code that keeps them.
import type { APIActionRowComponent, APIComponentInMessageActionRow, APIEmbed } from 'discord.js';
import { expect } from 'vitest';

interface Message {
  embeds: APIEmbed[];
  components?: APIActionRowComponent<APIComponentInMessageActionRow>[];
}

/** Fails if Discord would refuse the message. */
export function expectWithinLimits({ embeds, components = [] }: Message): void {
  expect(embeds.length).toBeLessThanOrEqual(10);
  let total = 0;
  for (const embed of embeds) {
    const texts: [string | undefined, number][] = [
      [embed.title, 256],
      [embed.description, 4096],
      [embed.author?.name, 256],
      [embed.footer?.text, 2048],
      ...(embed.fields ?? []).flatMap(({ name, value }): [string, number][] => [
        [name, 256],
        [value, 1024],
      ]),
    ];
    expect(embed.fields?.length ?? 0).toBeLessThanOrEqual(25);
    for (const { name, value } of embed.fields ?? []) expect([name.trim(), value.trim()]).not.toContain('');
    for (const [text, limit] of texts) {
      if (text === undefined) continue;
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(text.isWellFormed()).toBe(true);
      total += text.length;
    }
    expect((embed.title ?? embed.description ?? '').trim()).not.toBe('');
    if (embed.author) expect(embed.author.name.trim()).not.toBe('');
    for (const url of [embed.url, embed.thumbnail?.url]) {
      if (url === undefined) continue;
      expect(url.length).toBeLessThanOrEqual(2048);
      expect(url).toMatch(/^https?:\/\//);
    }
  }
  expect(total).toBeLessThanOrEqual(6000);
  const buttons = components.flatMap((row) => row.components);
  expect(components.length).toBeLessThanOrEqual(5);
  const ids = buttons.map((button) => ('custom_id' in button ? button.custom_id : ''));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id.length).toBeLessThanOrEqual(100);
}
