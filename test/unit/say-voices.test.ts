// Which voice speaks, given all the settings, and which is the fallback.
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/api/index.ts';
import { UserError } from '../../src/discord/errors.ts';
import { en } from '../../src/locales/index.ts';
import { explainRefusal } from '../../src/say/refusals.ts';
import { voicesFor } from '../../src/say/voice-choice.ts';
import type { GuildSettings, MemberSettings } from '../../src/store/settings.ts';
import { isUnknownVoice } from '../../src/synthesis/index.ts';
import { voiceName } from '../../src/voice-catalogue/voice-name.ts';

const voice = (id: string) => ({ id, title: id.toUpperCase() });
const usable = {
  resolve: async (id: string) => ({ id, title: id.startsWith('known') ? 'Known' : null }),
  accessOf: async (id: string) => (id.startsWith('secret') ? ('refused' as const) : ('catalogue' as const)),
};
const operators = { usable, defaultVoice: 'known-operator' };
const titles = { voiceTitles: { closest: () => [] } as never };
const member: MemberSettings = {
  voice: voice('mine'),
  favourites: [voice('liked')],
  recent: [voice('heard')],
  readAloud: true,
  transcribed: null,
  speed: 1,
};
const nobody: MemberSettings = { voice: null, favourites: [], recent: [], readAloud: true, transcribed: null, speed: 1 };
const guild = { voice: voice('server'), channelVoices: { lounge: voice('channel') } } as unknown as GuildSettings;

const choose = (wanted: string | null, places: Partial<Parameters<typeof voicesFor>[1]> = {}, context: typeof operators = operators) =>
  voicesFor({ voice: wanted }, { member, guild, channelId: 'lounge', ...places }, context);
const ids = async (...args: Parameters<typeof choose>) => (await choose(...args)).voices.map((one) => one?.id ?? null);

describe('the voice of /say', () => {
  it('is the member’s own, then the channel’s, the server’s, the operator’s and the service’s', async () => {
    expect(await ids(null)).toEqual(['mine', 'channel', 'server', 'known-operator', null]);
    expect(await ids(null, { member: nobody })).toEqual(['channel', 'server', 'known-operator', null]);
    expect(await ids(null, { member: nobody, channelId: 'other' })).toEqual(['server', 'known-operator', null]);
    expect(await ids(null, { member: nobody, guild: null, channelId: null })).toEqual(['known-operator', null]);
    expect(await ids(null, { member: nobody, guild: null, channelId: null }, { ...operators, defaultVoice: null as never })).toEqual([
      null,
    ]);
  });

  it('is tried once even if it is set in two places', async () => {
    expect(await ids(null, { member: { ...member, voice: voice('server') } })).toEqual(['server', 'channel', 'known-operator', null]);
  });

  it('is the one that was named, followed by the others if it was known and may have been deleted', async () => {
    expect(await ids('known-one')).toEqual(['known-one', 'mine', 'channel', 'server', 'known-operator', null]);
    expect(await ids('liked')).toEqual(['liked', 'mine', 'channel', 'server', 'known-operator', null]);
    expect((await ids('heard'))[0]).toBe('heard');
    expect(await ids('a-slip')).toEqual(['a-slip']);
    expect(await ids('')).toEqual([null]);
  });

  it('is the next one if the member may not use the one that was chosen', async () => {
    const shared = { ...member, voice: voice('secret') };
    expect((await choose(null, { member: shared })).wanted).toEqual(voice('secret'));
    expect(await ids(null, { member: shared })).toEqual(['channel', 'server', 'known-operator', null]);
    expect((await ids('secret', { member: { ...member, recent: [voice('secret')] } }))[0]).toBe('mine');
    expect(await ids(null, { guild: { ...guild, voice: voice('secret') } })).toEqual(['mine', 'channel', 'known-operator', null]);
  });

  it('is called by its title, otherwise by its id', () => {
    expect([voice('a'), { id: 'a', title: null }, null].map((one) => voiceName(one, en))).toEqual(['A', 'a', en('say.defaultVoice')]);
  });
});

describe('a refusal of the service', () => {
  const refused = (loc: string[]) => new ApiError('validation', 'x', { status: 422, details: [{ loc, type: 't', msg: 'm' }] });

  it('is about the voice if the service says so', () => {
    expect(isUnknownVoice(new ApiError('not-found', 'x', { status: 404 }))).toBe(true);
    expect(isUnknownVoice(refused(['body', 'reference_id']))).toBe(true);
    expect(isUnknownVoice(refused(['body', 'text']))).toBe(false);
    expect(isUnknownVoice(new Error('x'))).toBe(false);
  });

  it('is explained if the member can change it, and otherwise left as it is', () => {
    expect(explainRefusal(refused(['reference_id']), voice('a'), titles)).toBeInstanceOf(UserError);
    expect(explainRefusal(refused(['prosody', 'speed']), null, titles)).toBeInstanceOf(UserError);
    const other = refused(['text']);
    expect(explainRefusal(other, voice('a'), titles)).toBe(other);
    const noPath = new ApiError('not-found', 'x', { status: 404 });
    expect(explainRefusal(noPath, null, titles)).toBe(noPath);
  });
});
