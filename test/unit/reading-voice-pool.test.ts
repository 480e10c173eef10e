// Which voices members are assigned, from the catalogue of a real service.
import type { Guild } from 'discord.js';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { en } from '../../src/locales/en/index.ts';
import { createVoicePool } from '../../src/reading/voice-pool.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createVoiceOwners } from '../../src/voices/owners.ts';
import { createVoiceTitles } from '../../src/voices/titles.ts';
import { startToneService } from '../helpers/tone-service.ts';

async function openPool(voices: string[]) {
  const service = await startToneService({ voices });
  const api = createApi({ baseUrl: service.url, apiKey: service.key });
  const store = openSqliteStore(':memory:');
  const voiceOwners = createVoiceOwners(store);
  const voiceTitles = createVoiceTitles({ api, voiceOwners, log: pino({ level: 'silent' }) });
  onTestFinished(async () => {
    voiceTitles.close();
    await api.close();
    await store.close();
    await service.close();
  });
  const pool = createVoicePool({ voiceTitles, voiceOwners, defaultVoice: null });
  return (memberId: string, guildId: string, language: string | null = null) =>
    pool.voicesFor({ guild: { id: guildId } as Guild, memberId, words: en }, null, language);
}

const VOICES = Array.from({ length: 30 }, (_, index) => `en:voice-${index}`);
const MEMBERS = Array.from({ length: 100 }, (_, index) => String(100_000_000_000_000_000n + BigInt(index) * 7919n));

describe('the voices that are assigned', () => {
  it('are the same for members who did not have a voice that is gone', async () => {
    const [before, after] = [await openPool(VOICES), await openPool(VOICES.filter((voice) => voice !== 'en:voice-3'))];
    // In a server of their own, nobody has to give way to others.
    for (const member of MEMBERS) {
      const [[voice], [voiceAfter]] = [await before(member, member), await after(member, member)];
      expect(voice).not.toBeNull();
      if (voice?.id === 'voice-3') expect(voiceAfter?.id).not.toBe('voice-3');
      else expect(voiceAfter).toEqual(voice);
    }
  });

  it('differ among the first members of a server, as long as there are enough', async () => {
    const voicesFor = await openPool(VOICES);
    const voices = new Set<string | undefined>();
    for (const member of MEMBERS.slice(0, 30)) voices.add((await voicesFor(member, 'one'))[0]?.id);
    expect(voices.size).toBe(30);
    expect((await voicesFor(MEMBERS[40] ?? '', 'one'))[0]).not.toBeNull();
  });

  it('speak the language of a text, before the server’s', async () => {
    const voicesFor = await openPool([...VOICES, 'de:anna', 'de:bernd']);
    const [german, english] = await voicesFor('1', 'one', 'de');
    expect(['anna', 'bernd']).toContain(german?.id);
    expect(english?.id).toMatch(/^voice-/);
    // A language that nobody speaks is left to the others.
    expect((await voicesFor('1', 'one', 'is'))[0]).not.toBeNull();
  });

  it('are the service’s default voice if it has no catalogue', async () => {
    expect(await (await openPool([]))('1', 'one')).toEqual([null]);
  });
});
