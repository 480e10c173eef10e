// Voices that members make of recordings: the recordings, a voice service whose training waits until it may go on, and voices made already.
import { createHash } from 'node:crypto';
import type { APIMessage } from 'discord.js';
import { expect, vi } from 'vitest';
import type { Engines, Upload, VoiceMeasurement } from '../../src/local/voice-service/engines/index.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceOwners, type OwnVoice } from '../../src/voice-catalogue/owners.ts';
import { labelsOf, type Member, textOf } from '../helpers/member.ts';
import { type Parley, type ParleyOptions, startParley, useStarted } from '../helpers/parley.ts';
import { RATE } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import { startTestVoiceService, toneEngines } from '../helpers/voice-service.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

/** A story of 10 s told in tones, in two recordings: what is needed for a voice, and no more. */
export const storyInTwo = [
  'The tide was out when we came down to the harbour this morning, and all the little boats lay in the mud.',
  'Nobody was about but an old man, who mended his nets and told us that there would be rain.',
].map((text) => ({ audio: recordTones(text), text }));

/** What is known of each sound: tests make all their voices of the same few recordings, and to measure ten seconds takes a while. */
const measured = new Map<string, VoiceMeasurement>();
const understood = new Map<string, Awaited<ReturnType<Engines['transcribe']>>>();

/** Engines that speak and hear in tones, whose training can be made to wait. */
export function createGatedEngines() {
  const engines = toneEngines();
  let gate = Promise.resolve();
  return {
    ...engines,
    async measureVoice(audio: Uint8Array, signal?: AbortSignal) {
      await gate;
      signal?.throwIfAborted();
      return once(measured, audio, () => engines.measureVoice(audio, signal));
    },
    transcribe: (wanted: Parameters<Engines['transcribe']>[0]) => once(understood, wanted.audio, () => engines.transcribe(wanted)),
    // Others go on using them.
    async close() {},
    /** Training that begins from now on waits, until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

async function once<T>(known: Map<string, T>, audio: Upload, find: () => Promise<T>): Promise<T> {
  const name = createHash('sha256')
    .update(audio instanceof Uint8Array ? audio : Buffer.concat(audio))
    .digest('hex');
  const result = known.get(name) ?? (await find());
  known.set(name, result);
  return result;
}

/** The whole story in one file. */
export const recording = recordTones(storyInTwo.map(({ text }) => text).join(' '));
/** The recording's length. */
export const SECONDS = (recording.length - 44) / (2 * RATE);

/** A Parley whose voice service trains when it is told to, for all tests of a file or a `describe`. */
export function useVoiceMaking(options: Omit<ParleyOptions, 'service'> = {}) {
  const engines = createGatedEngines();
  const service = useStarted(() => startTestVoiceService({ engines }));
  const start = async () => ({ ...(await startParley({ voiceMakers: 'everyone', ...options, service })), engines });
  return Object.assign(useStarted(start), { engines });
}

/** Those that were made by the bot. */
export const listModels = async ({ api }: Parley) =>
  (await api.listModels({ self: true })).items.filter(({ tags }) => tags.some((tag) => tag.startsWith('parley-')));
export const listPending = ({ store }: Parley) => store.list('pending-voice:');

/** Deletes every voice that a test has made. */
export async function clear(parley: Parley): Promise<void> {
  for (const { id } of await listModels(parley)) await parley.api.deleteModel(id);
  for (const prefix of ['own-voice', 'pending-voice:']) await parley.store.deleteAll(prefix);
  for (const { client } of [parley.member, parley.other]) await createSettings(parley.store).resetMember(client.userId);
}

/** The question who speaks. */
export async function ask(who: Member, options: Record<string, string | boolean> = {}, file: Uint8Array = recording): Promise<APIMessage> {
  const interaction = await who.run('voice create', { title: 'The reader', recording: who.upload('reader.wav', file), ...options });
  return interaction.message((message) => labelsOf(message).length > 0);
}

/** The same message, once it is as it should be. */
export const becomes = (who: Member, { id }: APIMessage, fits: (message: APIMessage) => boolean) =>
  who.sees((message) => message.id === id && fits(message));

export const isReady = (message: APIMessage) => labelsOf(message).includes(en('voices.choices.mine.off'));

/** What the question has become once it is over without a voice. */
export const readEnd = async (who: Member, question: APIMessage): Promise<string> =>
  textOf(await becomes(who, question, (message) => labelsOf(message).length === 0 && textOf(message) !== ''));

/** Nothing of any voice is left: not at the service, not in the store, and nothing was charged. */
export async function expectNothingLeft(parley: Parley): Promise<void> {
  const owned = await createVoiceOwners(parley.store).all();
  expect({ models: await listModels(parley), pending: await listPending(parley), owned }).toEqual({ models: [], pending: [], owned: [] });
  expect((await parley.api.getCredit()).credit).toBe('1000');
}

interface OwnVoiceOptions {
  title: string;
  /** At the service. */
  visibility?: 'public' | 'private';
  sharedWith?: string[];
  /** Resolve at once, before the voice can speak. */
  isUntrained?: boolean;
}

/** A voice of this member, which can speak. */
export async function makeVoice(parley: Parley, owner: Member, options: OwnVoiceOptions): Promise<OwnVoice> {
  const { title, visibility = 'private', sharedWith = [], isUntrained = false } = options;
  const { api, store } = parley;
  const { userId } = owner.client;
  const { id } = await api.createModel({ title, visibility, recordings: storyInTwo });
  const consent = { kind: 'own', memberId: userId, at: Date.now() } as const;
  const voice = { id, ownerId: userId, title, description: '', createdAt: Date.now(), sharedWith, consent };
  await createVoiceOwners(store).save(voice);
  if (!isUntrained) await vi.waitFor(async () => expect((await api.getModel(id)).state).toBe('trained'), { timeout: WAIT_MS });
  return voice;
}
