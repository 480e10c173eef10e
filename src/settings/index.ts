// The settings of guilds and members, in the store. A change applies to the very next command.
import { z } from 'zod';
import { type Store, update, type Value } from '../store/index.ts';

/** Characters, as many as a message may have. What is spoken may be longer than the text, and is then cut. */
export const LONGEST_TEXT = 2000;

/** How many seconds a message may wait until it is read. */
export const DELAY_SECONDS = { least: 3, most: 30, usual: 8 } as const;

/** Characters of the prefix that leaves a message out. */
export const MAX_PREFIX = 10;

const voice = z.object({ id: z.string(), title: z.string().nullable() });
/** A voice model's id, with its title at the time it was chosen. */
export type ChosenVoice = z.infer<typeof voice>;

/** How channels are read aloud. */
const readingSchema = z.object({
  /** Text channels that are read whenever somebody is in the voice channel. */
  always: z.array(z.object({ textChannelId: z.string(), voiceChannelId: z.string() })).catch([]),
  /** Whose messages: everybody's, or only those of people in the voice channel. */
  who: z.enum(['everyone', 'listeners']).catch('everyone'),
  /** If there are any, only members with one of these roles are read. */
  roles: z.array(z.string()).catch([]),
  bots: z.boolean().catch(false),
  /** Says who wrote, once per change of speaker. */
  names: z.boolean().catch(true),
  /** Marks messages that are not heard with a reaction. */
  reactions: z.boolean().catch(true),
  /** Seconds after which a new message is to be heard at the latest. */
  maxDelay: z.number().min(DELAY_SECONDS.least).max(DELAY_SECONDS.most).catch(DELAY_SECONDS.usual),
  /** Messages that begin with it are not read; empty = all are. */
  ignorePrefix: z.string().max(MAX_PREFIX).catch('-'),
});

/** Each field has its own fallback, so that one value of a later version does not discard the others. */
const guildSchema = z.object({
  voice: voice.nullable().catch(null),
  /** By the id of the voice channel. */
  channelVoices: z.record(z.string(), voice).catch({}),
  /** A factor, 0 to 2. */
  volume: z.number().min(0).max(2).catch(1),
  /** Characters of the spoken text; null = LONGEST_TEXT. A longer text is cut, with a spoken "and so on". */
  lengthCap: z.number().int().min(1).max(LONGEST_TEXT).nullable().catch(null),
  /** Only members with one of these roles may use the bot; empty = everybody. */
  roles: z.array(z.string()).catch([]),
  /** Text and voice channels the bot may be used in; empty = all. */
  channels: z.array(z.string()).catch([]),
  /** Those of them that are voice channels: after one is deleted, nothing else says so. */
  voiceChannels: z.array(z.string()).catch([]),
  /** Members who may not use /say and whose messages are not read aloud. */
  muted: z.array(z.string()).catch([]),
  /** Stay in the voice channel when nobody listens and nothing plays? */
  stay: z.boolean().catch(false),
  /** Members with one of these roles may make voices, if the operator lets admins decide. */
  voiceMakerRoles: z.array(z.string()).catch([]),
  /** Members with one of these roles may start and stop reading a channel aloud; besides them, whoever may manage the server. */
  readerRoles: z.array(z.string()).catch([]),
  /** Members with one of these roles may change the server's dictionary; besides them, whoever may manage the server. */
  dictionaryRoles: z.array(z.string()).catch([]),
  reading: readingSchema.catch(readingSchema.parse({})),
  /** Of public replies, as `Words.locale`; null = the server's own. */
  language: z.string().nullable().catch(null),
  /** Do replies show the spoken text? */
  showText: z.boolean().catch(true),
  /** Characters of speech a day; null = the operator's budget, which is also the maximum. */
  guildBudget: z.number().int().min(0).nullable().catch(null),
  memberBudget: z.number().int().min(0).nullable().catch(null),
  /** The same for transcription, in minutes of audio a day. */
  guildMinutes: z.number().int().min(0).nullable().catch(null),
  memberMinutes: z.number().int().min(0).nullable().catch(null),
});
export type GuildSettings = z.infer<typeof guildSchema>;

/** Settings from an exported file; null if it holds none. What cannot be read is as it was before anybody chose. */
export function parseExport(exported: string): GuildSettings | null {
  try {
    const value: unknown = JSON.parse(exported);
    const isOurs = typeof value === 'object' && value !== null && Object.keys(value).some((key) => key in guildSchema.shape);
    return isOurs ? guildSchema.parse(value) : null;
  } catch {
    return null;
  }
}

const memberSchema = z.object({
  voice: voice.nullable().catch(null),
  /** Newest first. */
  favourites: z.array(voice).catch([]),
  recent: z.array(voice).catch([]),
  /** Whether their messages may be read aloud, in any server. */
  readAloud: z.boolean().catch(true),
  /** 0.5 to 2; 1 = the voice's own speed. */
  speed: z.number().min(0.5).max(2).catch(1),
});
export type MemberSettings = z.infer<typeof memberSchema>;

export interface Settings {
  guild(guildId: string): Promise<GuildSettings>;
  /** Returns the settings after the change. `change` may run again: no change by others is lost. */
  changeGuild(guildId: string, change: (settings: GuildSettings) => GuildSettings): Promise<GuildSettings>;
  resetGuild(guildId: string): Promise<void>;
  /** Calls the listener after each change of a guild's settings by this process. Returns a function that ends that. */
  watchGuilds(listener: (guildId: string, settings: GuildSettings) => void): () => void;
  member(userId: string): Promise<MemberSettings>;
  changeMember(userId: string, change: (settings: MemberSettings) => MemberSettings): Promise<MemberSettings>;
  resetMember(userId: string): Promise<void>;
  /**
   * Renames a voice wherever members or guilds have chosen it; null = they have not chosen it any more. Reads the settings of all of them, so
   * it is for what happens rarely.
   */
  changeVoice(voiceId: string, title: string | null): Promise<void>;
}

/** All methods reject with StoreError on failure. */
export function createSettings(store: Store): Settings {
  const guilds = collection(store, 'guild', guildSchema);
  const members = collection(store, 'member', memberSchema);
  const listeners = new Set<(guildId: string, settings: GuildSettings) => void>();
  const notify = (guildId: string, changed: GuildSettings) => {
    for (const listener of listeners) listener(guildId, changed);
  };
  return {
    guild: guilds.get,
    async changeGuild(guildId, change) {
      const changed = await guilds.change(guildId, change);
      notify(guildId, changed);
      return changed;
    },
    async resetGuild(guildId) {
      await guilds.reset(guildId);
      notify(guildId, guildSchema.parse({}));
    },
    watchGuilds(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    member: members.get,
    changeMember: members.change,
    resetMember: members.reset,
    async changeVoice(voiceId, title) {
      for (const id of await guilds.idsOfThoseWith(voiceId)) await guilds.change(id, (guild) => withVoiceRenamed(guild, voiceId, title));
      const renamed = renaming(voiceId, title);
      for (const id of await members.idsOfThoseWith(voiceId)) {
        await members.change(id, (member) => ({
          ...member,
          voice: member.voice && (renamed(member.voice)[0] ?? null),
          favourites: member.favourites.flatMap(renamed),
          recent: member.recent.flatMap(renamed),
        }));
      }
    },
  };
}

/** @param title null = the guild has not chosen the voice any more */
export function withVoiceRenamed(guild: GuildSettings, voiceId: string, title: string | null): GuildSettings {
  const renamed = renaming(voiceId, title);
  const ofChannels = Object.entries(guild.channelVoices).flatMap(([channel, voice]) => renamed(voice).map((one) => [channel, one]));
  return { ...guild, voice: guild.voice && (renamed(guild.voice)[0] ?? null), channelVoices: Object.fromEntries(ofChannels) };
}

/** Any other voice stays as it is. */
function renaming(voiceId: string, title: string | null): (voice: ChosenVoice) => ChosenVoice[] {
  const instead = title === null ? [] : [{ id: voiceId, title }];
  return (voice) => (voice.id === voiceId ? instead : [voice]);
}

function collection<T extends Value>(store: Store, prefix: string, schema: z.ZodType<T>) {
  const keyOf = (id: string) => `${prefix}:${id}`;
  return {
    get: async (id: string): Promise<T> => schema.parse((await store.get(keyOf(id))) ?? {}),
    change: (id: string, change: (value: T) => T) => update(store, keyOf(id), (value) => schema.parse(change(schema.parse(value ?? {})))),
    reset: (id: string) => store.delete(keyOf(id)),
    /** Whose settings contain this text as a value. */
    async idsOfThoseWith(text: string): Promise<string[]> {
      const written = JSON.stringify(text);
      const entries = await store.list(keyOf(''));
      return entries.filter(([, value]) => JSON.stringify(value).includes(written)).map(([key]) => key.slice(keyOf('').length));
    },
  };
}
