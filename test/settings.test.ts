// /settings: the panel of a server's admins.
import { type APIMessage, ComponentType, PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { createSettings } from '../src/settings.ts';
import { isEphemeral, type Member } from './helpers/member.ts';
import { useParley } from './helpers/parley.ts';

const parley = useParley();

/** The panel, as Robin opens it. */
async function open() {
  const asked = await parley.member.run('settings');
  const panel = await asked.message((message) => message.components?.length === 5);
  return { panel, asked };
}

function field(panel: APIMessage, name: string): string | undefined {
  return panel.embeds[0]?.fields?.find((one) => one.name === name)?.value;
}

/** Waits for the panel as it looks after a change. */
function shows(name: string, value: string): Promise<APIMessage> {
  return parley.member.sees((message) => field(message, name)?.includes(value) ?? false);
}

const stored = () => createSettings(parley.store).guild(parley.discord.guildId);

async function section(panel: APIMessage, name: string): Promise<APIMessage> {
  const menu = await parley.member.select(panel, 'settings:section', name);
  await menu.answered();
  return parley.member.sees(
    (message) =>
      JSON.stringify(message.components).includes(`"value":"${name}","default":true`) ||
      JSON.stringify(message.components?.[0]).match(new RegExp(`"${name}"[^}]*"default":true|"default":true[^}]*"${name}"`)) !== null,
  );
}

describe('the panel', () => {
  it('shows what is set, to the admin alone', async () => {
    const { panel } = await open();
    expect(isEphemeral(panel)).toBe(true);
    expect(field(panel, 'Volume')).toBe('100 %');
    expect(field(panel, 'For')).toBe('everybody');
    expect(field(panel, 'Speech a day')).toBe('Server: 100,000 characters\nEach member: 20,000 characters');
  });

  it('gives the server a voice that is searched for by its title', async () => {
    const { panel } = await open();
    const form = await parley.member.click(panel, 'Search for a voice');
    await parley.member.submitModal(form, { title: 'clar' });
    const found = await parley.member.sees((message) => JSON.stringify(message.components).includes('for “clar”'));
    await parley.member.select(found, 'settings:voice:server', 'Clara');
    await shows('Voice', 'Clara');
    expect((await stored()).voice?.title).toBe('Clara');
  });
});
