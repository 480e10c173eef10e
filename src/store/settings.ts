// The settings of guilds and members, in the store. A change applies to the very next command.
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type Store, update, type Value } from './index.ts';

/** Characters that a message may have. The spoken text may be longer than the typed one, and is then cut. */
export const LONGEST_TEXT = 2000;

/** How many seconds a message may wait until it is read. */
export const DELAY_SECONDS = { least: 3, most: 30, usual: 8 } as const;

/** Characters of the prefix that leaves a message out. */
export const MAX_PREFIX = 10;

/** The former default, which turned out to begin the items of lists. */
const OLD_PREFIX = '-';
const NEW_PREFIX = ';';

/** A voice model's id, with its title at the time it was chosen. */
export const chosenVoice = z.object({ id: z.string(), title: z.string().nullable() });
export type ChosenVoice = z.infer<typeof chosenVoice>;

/** How channels are read aloud. */
const readingSchema = z.object({
  /** Text channels that are read whenever somebody is in the voice channel. */
  always: z.array(z.object({ textChannelId: z.string(), voiceChannelId: z.string() })).catch([]),
  /** Whose messages are read: everybody's, or only those of people in the voice channel. */
  who: z.enum(['everyone', 'listeners']).catch('everyone'),
  /** If there are any, only members with one of these roles are read. */
  roles: z.array(z.string()).catch([]),
  bots: z.boolean().catch(false),
  /** Says who wrote, once per change of speaker. */
  names: z.boolean().catch(true),
  /** Marks messages that are not heard with a reaction. */
  reactions: z.boolean().catch(true),
  /** Seconds within which a new message should be heard. */
  maxDelay: z.number().min(DELAY_SECONDS.least).max(DELAY_SECONDS.most).catch(DELAY_SECONDS.usual),
  /** Messages that begin with it are not read; empty = all are. Settings without one were saved when `-` was the default, and keep it. */
  ignorePrefix: z.string().max(MAX_PREFIX).catch(OLD_PREFIX),
});

/** Minutes of the longest voice message that is answered with its words. */
export const VOICE_MESSAGE_MINUTES = { usual: 5, most: 60 } as const;

/** Which voice messages are answered with their words. */
const transcriptsSchema = z.object({
  /** Text channels, with the threads and posts below them. */
  channels: z.array(z.string()).catch([]),
  /** Whose: only those of members who have switched it on, or everybody’s who hasn’t switched it off. */
  who: z.enum(['asked', 'everyone']).catch('asked'),
  /** Hides the words until they are pressed. */
  spoiler: z.boolean().catch(false),
  /** Attached sound files, too. */
  files: z.boolean().catch(false),
  /** Minutes. */
  longest: z.number().int().min(1).max(VOICE_MESSAGE_MINUTES.most).catch(VOICE_MESSAGE_MINUTES.usual),
  /** BCP 47; null = detected by the service. */
  language: z.string().max(20).nullable().catch(null),
});

/** Captions of voice channels: who may start them and where, and how they are written. */
const captionsSchema = z.object({
  /** Only members with one of these roles may start them; empty = everybody. */
  starters: z.array(z.string()).catch([]),
  /** Voice channels in which they may be started; empty = all. */
  channels: z.array(z.string()).catch([]),
  /** Members with one of these roles are never captioned. */
  excluded: z.array(z.string()).catch([]),
  /** Whether it is kept who has agreed, or everybody is asked each time. */
  consent: z.enum(['kept', 'each']).catch('kept'),
  /** Where they are written: in the voice channel's own chat, or in a thread of the text channel that they are started in. */
  place: z.enum(['chat', 'thread']).catch('chat'),
  /** BCP 47; null = detected by the service. */
  language: z.string().max(20).nullable().catch(null),
});

/** Each field has its own fallback, so that one value of a later version does not discard the others. */
const guildSchema = z.object({
  voice: chosenVoice.nullable().catch(null),
  /** Default voices of voice channels, by the id of the channel. */
  channelVoices: z.record(z.string(), chosenVoice).catch({}),
  /** A factor, 0 to 2. */
  volume: z.number().min(0).max(2).catch(1),
  /** Characters of the spoken text; null = LONGEST_TEXT. A longer text is cut, with a spoken "and so on". */
  lengthCap: z.number().int().min(1).max(LONGEST_TEXT).nullable().catch(null),
  /** Only members with one of these roles may use the bot; empty = everybody. */
  roles: z.array(z.string()).catch([]),
  /** Text and voice channels the bot may be used in; empty = all. */
  channels: z.array(z.string()).catch([]),
  /** Those of them that are voice channels: once one is deleted, nothing else tells. */
  voiceChannels: z.array(z.string()).catch([]),
  /** Members who may not use /say and whose messages are not read aloud. */
  muted: z.array(z.string()).catch([]),
  /** Stay in the voice channel when nobody listens and nothing plays? */
  stay: z.boolean().catch(false),
  /** Members with one of these roles may make voices, if the operator lets admins decide. */
  voiceMakerRoles: z.array(z.string()).catch([]),
  /** Members with one of these roles may start and stop reading a channel aloud, as may everyone who can manage the server. */
  readerRoles: z.array(z.string()).catch([]),
  /** Members with one of these roles may change the server's dictionary, as may everyone who can manage the server. */
  dictionaryRoles: z.array(z.string()).catch([]),
  reading: readingSchema.catch(readingSchema.parse({})),
  transcripts: transcriptsSchema.catch(transcriptsSchema.parse({})),
  captions: captionsSchema.catch(captionsSchema.parse({})),
  /** Language of public replies, as `Translator.locale`; null = the server's own. */
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

/** The settings of a server whose admins haven't changed any. */
const NEW_GUILD = { reading: { ignorePrefix: NEW_PREFIX } };

/** Settings that are together in a group of their own, with the schema of each. */
const GROUPS = { reading: readingSchema, transcripts: transcriptsSchema, captions: captionsSchema } as const;
export type SettingsGroup = keyof typeof GROUPS;
export const settingsGroups = Object.keys(GROUPS) as SettingsGroup[];

/** Some settings of a guild. */
export type Changes = Partial<Omit<GuildSettings, SettingsGroup>> & { [G in SettingsGroup]?: Partial<GuildSettings[G]> };

export function withChanges(before: GuildSettings, { reading, transcripts, captions, ...others }: Changes): GuildSettings {
  return {
    ...before,
    ...others,
    reading: { ...before.reading, ...reading },
    transcripts: { ...before.transcripts, ...transcripts },
    captions: { ...before.captions, ...captions },
  };
}

/** The settings of a guild whose admins haven't changed any. */
export function noSettings(): GuildSettings {
  return guildSchema.parse(NEW_GUILD);
}

/** The valid settings in a value from outside, such as a file, and the invalid ones; null if it contains no settings at all. */
export function readChanges(value: unknown): { changes: Changes; wrong: [name: string, value: string][] } | null {
  const wrong: [string, string][] = [];
  const take = (shape: Record<string, z.ZodCatch>, values: object, prefix: string) => {
    const taken: Record<string, unknown> = {};
    for (const [name, input] of Object.entries(values)) {
      const result = Object.hasOwn(shape, name) ? shape[name]?.unwrap() : undefined;
      const parsed = result && z.safeParse(result, input);
      if (parsed?.success) taken[name] = parsed.data;
      else wrong.push([prefix + name, JSON.stringify(input)]);
    }
    return taken;
  };
  if (!isObject(value) || !Object.keys(value).some((name) => name in guildSchema.shape)) return null;
  const others = Object.fromEntries(Object.entries(value).filter(([name]) => !(name in GROUPS)));
  const changes: Changes = take(guildSchema.shape, others, '');
  for (const group of settingsGroups) {
    const { [group]: input = {} } = value;
    if (isObject(input)) changes[group] = take(GROUPS[group].shape, input, `${group}.`);
    else wrong.push([group, JSON.stringify(input)]);
  }
  return { changes, wrong };
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const memberSchema = z.object({
  voice: chosenVoice.nullable().catch(null),
  /** Newest first. */
  favourites: z.array(chosenVoice).catch([]),
  recent: z.array(chosenVoice).catch([]),
  /** Whether their messages may be read aloud, in any server. */
  readAloud: z.boolean().catch(true),
  /** Whether their voice messages are answered with their words, in any server; null = as the server has it. */
  transcribed: z.boolean().nullable().catch(null),
  /** 0.5 to 2; 1 = the voice's own speed. */
  speed: z.number().min(0.5).max(2).catch(1),
});
export type MemberSettings = z.infer<typeof memberSchema>;

export interface Settings {
  guild(guildId: string): Promise<GuildSettings>;
  /** Returns the settings after the change. `change` may run again: no change by others is lost. */
  changeGuild(guildId: string, change: (settings: GuildSettings) => GuildSettings): Promise<GuildSettings>;
  resetGuild(guildId: string): Promise<void>;
  /** Keeps the old prefix in a server that never changed its settings, because its members know it. */
  keepOldPrefix(guildId: string): Promise<void>;
  /** Calls the listener after each change of a guild's settings by this process. Returns a function that ends that. */
  watchGuilds(listener: (guildId: string, settings: GuildSettings) => void): () => void;
  member(userId: string): Promise<MemberSettings>;
  changeMember(userId: string, change: (settings: MemberSettings) => MemberSettings): Promise<MemberSettings>;
  resetMember(userId: string): Promise<void>;
  /**
   * Renames voices wherever these members and guilds have chosen them, by default all of them: that reads everybody's settings page by
   * page, so nobody should wait for it.
   * @param titles by the id of the voice; null = nobody has chosen it any more
   */
  changeVoices(titles: VoiceTitlesById, choosers?: { memberIds: readonly string[]; guildIds: readonly string[] }): Promise<void>;
}

type VoiceTitlesById = ReadonlyMap<string, string | null>;

/** Milliseconds for which Discord waits for the answer to an interaction. Later steps read the settings again. */
const SNAPSHOT_MS = 3_000;

/** The same settings, but each is read only once, when it is first needed: an answer depends on settings from one moment. */
export function createSettingsSnapshot(settings: Settings): Settings {
  const until = performance.now() + SNAPSHOT_MS;
  const guilds = new Map<string, Promise<GuildSettings>>();
  const members = new Map<string, Promise<MemberSettings>>();
  const readOnce =
    <T>(earlier: Map<string, Promise<T>>, read: (id: string) => Promise<T>) =>
    (id: string): Promise<T> => {
      const before = performance.now() < until ? earlier.get(id) : undefined;
      if (before) return before;
      const reading = read(id);
      earlier.set(id, reading);
      return reading;
    };
  return {
    ...settings,
    guild: readOnce(guilds, settings.guild),
    member: readOnce(members, settings.member),
    changeGuild(guildId, change) {
      guilds.delete(guildId);
      return settings.changeGuild(guildId, change).finally(() => guilds.delete(guildId));
    },
    async resetGuild(guildId) {
      await settings.resetGuild(guildId).finally(() => guilds.delete(guildId));
    },
    changeMember(userId, change) {
      members.delete(userId);
      return settings.changeMember(userId, change).finally(() => members.delete(userId));
    },
    async resetMember(userId) {
      await settings.resetMember(userId).finally(() => members.delete(userId));
    },
    async changeVoices(titles, choosers) {
      await settings.changeVoices(titles, choosers).finally(() => {
        guilds.clear();
        members.clear();
      });
    },
  };
}

/** All methods reject with StoreError on failure. */
export function createSettings(store: Store): Settings {
  const guilds = collection(store, 'guild', guildSchema, NEW_GUILD);
  const members = collection(store, 'member', memberSchema, {});
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
      notify(guildId, noSettings());
    },
    keepOldPrefix: async (guildId) =>
      void (await store.compareAndSet(guilds.keyOf(guildId), null, { reading: { ignorePrefix: OLD_PREFIX } })),
    watchGuilds(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    member: members.get,
    changeMember: members.change,
    resetMember: members.reset,
    async changeVoices(titles, choosers) {
      const voiceIds = [...titles.keys()];
      for await (const id of guilds.thoseWith(voiceIds, choosers?.guildIds))
        await guilds.change(id, (guild) => withVoicesRenamed(guild, titles));
      const renamed = renaming(titles);
      for await (const id of members.thoseWith(voiceIds, choosers?.memberIds)) {
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

function withVoicesRenamed(guild: GuildSettings, titles: VoiceTitlesById): GuildSettings {
  const renamed = renaming(titles);
  const ofChannels = Object.entries(guild.channelVoices).flatMap(([channel, voice]) => renamed(voice).map((one) => [channel, one]));
  return { ...guild, voice: guild.voice && (renamed(guild.voice)[0] ?? null), channelVoices: Object.fromEntries(ofChannels) };
}

/** Applies new titles, and removes deleted voices; all others stay as they are. */
function renaming(titles: VoiceTitlesById): (voice: ChosenVoice) => ChosenVoice[] {
  return (voice) => {
    const title = titles.get(voice.id);
    if (title === undefined) return [voice];
    return title === null ? [] : [{ id: voice.id, title }];
  };
}

/** @param unset what stands for no settings */
function collection<T extends Value>(store: Store, prefix: string, schema: z.ZodType<T>, unset: Value) {
  const keyOf = (id: string) => `${prefix}:${id}`;
  /** Each setting falls back by itself; what is no object, nobody's version has written. */
  const read = (value: Value): T => schema.safeParse(value).data ?? schema.parse(unset);
  return {
    keyOf,
    get: async (id: string): Promise<T> => read(await store.get(keyOf(id))),
    change: (id: string, change: (value: T) => T) => update(store, keyOf(id), (value) => schema.parse(change(read(value)))),
    reset: (id: string) => store.delete(keyOf(id)),
    /** The ids, of those given or of all, whose settings contain one of these texts as a value. */
    async *thoseWith(texts: readonly string[], ids?: readonly string[]): AsyncGenerator<string> {
      const written = texts.map((text) => JSON.stringify(text));
      const isOne = (value: Value) => {
        const json = JSON.stringify(value);
        return written.some((text) => json.includes(text));
      };
      for (const id of ids ?? []) if (isOne(await store.get(keyOf(id)))) yield id;
      if (ids) return;
      for await (const { key, value } of store.entries(keyOf(''))) {
        if (!isOne(value)) continue;
        yield key.slice(keyOf('').length);
        // A store on this machine answers immediately, and sound has to be sent in between.
        await setImmediate();
      }
    },
  };
}
