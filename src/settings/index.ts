// What admins and members have chosen, in the store. A change holds for the very next command.
import { z } from 'zod';
import type { Store, Value } from '../store/index.ts';

/** Characters, as many as a message may have. As it is spoken a text may be longer than that, and is cut. */
export const LONGEST_TEXT = 2000;

const voice = z.object({ id: z.string(), title: z.string().nullable() });
/** A voice model, by its id; the title as it was when it was chosen. */
export type ChosenVoice = z.infer<typeof voice>;

/** Each field falls back by itself, so that one that a later version wrote does not take the others with it. */
const guildSchema = z.object({
  voice: voice.nullable().catch(null),
  /** By the id of the voice channel. */
  channelVoices: z.record(z.string(), voice).catch({}),
  /** A factor, 0 to 2. */
  volume: z.number().min(0).max(2).catch(1),
  /** Characters of a text as it is spoken; null = LONGEST_TEXT. What is longer is cut, with a spoken "and so on". */
  lengthCap: z.number().int().min(1).max(LONGEST_TEXT).nullable().catch(null),
  /** Who may make me speak and listen: members with one of these roles; none = everybody. */
  roles: z.array(z.string()).catch([]),
  /** Text and voice channels in which commands are taken; none = all. */
  channels: z.array(z.string()).catch([]),
  /** Those of them that are voice channels: of a deleted one nothing else says so. */
  voiceChannels: z.array(z.string()).catch([]),
  /** Members who may not use /say. */
  muted: z.array(z.string()).catch([]),
  /** Stays in the voice channel when nobody listens and nothing is said. */
  stay: z.boolean().catch(false),
  /** Whether replies show the text that is spoken. */
  showText: z.boolean().catch(true),
  /** Characters of speech a day; null = as the operator has set it, which is also the most that counts. */
  guildBudget: z.number().int().min(0).nullable().catch(null),
  memberBudget: z.number().int().min(0).nullable().catch(null),
  /** The same for transcription, in minutes of sound a day. */
  guildMinutes: z.number().int().min(0).nullable().catch(null),
  memberMinutes: z.number().int().min(0).nullable().catch(null),
});
export type GuildSettings = z.infer<typeof guildSchema>;

const memberSchema = z.object({
  voice: voice.nullable().catch(null),
  /** The latest first. */
  favourites: z.array(voice).catch([]),
  recent: z.array(voice).catch([]),
  /** 0.5 to 2; 1 = as the voice speaks. */
  speed: z.number().min(0.5).max(2).catch(1),
});
export type MemberSettings = z.infer<typeof memberSchema>;

export interface Settings {
  guild(guildId: string): Promise<GuildSettings>;
  /** Gives what it was changed to. Changes of one guild take turns, so that none is lost. */
  changeGuild(guildId: string, change: (settings: GuildSettings) => GuildSettings): Promise<GuildSettings>;
  resetGuild(guildId: string): Promise<void>;
  member(userId: string): Promise<MemberSettings>;
  changeMember(userId: string, change: (settings: MemberSettings) => MemberSettings): Promise<MemberSettings>;
  resetMember(userId: string): Promise<void>;
}

/** Settings in this store. Everything rejects with StoreError where it fails. */
export function createSettings(store: Store): Settings {
  const guilds = collection(store, 'guild', guildSchema);
  const members = collection(store, 'member', memberSchema);
  return {
    guild: guilds.get,
    changeGuild: guilds.change,
    resetGuild: guilds.reset,
    member: members.get,
    changeMember: members.change,
    resetMember: members.reset,
  };
}

function collection<T extends Value>(store: Store, prefix: string, schema: z.ZodType<T>) {
  /** The last change of each that is under way. */
  const turns = new Map<string, Promise<unknown>>();
  const get = async (id: string): Promise<T> => schema.parse((await store.get(`${prefix}:${id}`)) ?? {});

  function takeTurn<R>(id: string, act: () => Promise<R>): Promise<R> {
    const done = (turns.get(id) ?? Promise.resolve()).then(act, act);
    turns.set(id, done);
    const forget = () => {
      if (turns.get(id) === done) turns.delete(id);
    };
    done.then(forget, forget);
    return done;
  }

  return {
    get,
    change: (id: string, change: (value: T) => T) =>
      takeTurn(id, async () => {
        const changed = schema.parse(change(await get(id)));
        await store.set(`${prefix}:${id}`, changed);
        return changed;
      }),
    reset: (id: string) => takeTurn(id, () => store.delete(`${prefix}:${id}`)),
  };
}
