// What the tests of making voices share: a recording, and a voice service whose training waits until it may go on.
import type { APIMessage } from 'discord.js';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Engines } from '../../src/local/voice-service/engines/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceOwners } from '../../src/voices/owners.ts';
import { type Member, partsOf, textOf } from './member.ts';
import { storyInTwo } from './own-voice.ts';
import { type Parley, type ParleyOptions, startParley } from './parley.ts';
import { samplesOf, wavOf } from './speech.ts';
import { RATE, recordTones } from './tones.ts';
import { startTestVoiceService, type TestVoiceService, toneEngines } from './voice-service.ts';

/** Three tones that sound together. */
export const music = (seconds: number): Uint8Array =>
  wavOf(
    samplesOf(seconds, RATE, (index) => [262, 330, 392].reduce((sum, hz) => sum + 5000 * Math.sin((2 * Math.PI * hz * index) / RATE), 0)),
    RATE,
  );

interface GatedEngines extends Engines {
  /** Training that begins from now on waits, until the returned function is called. */
  hold(): () => void;
}

/** Engines that speak and hear in tones, whose training can be made to wait. */
export function createGatedEngines(): GatedEngines {
  const engines = toneEngines();
  let gate = Promise.resolve();
  return {
    ...engines,
    async measureVoice(audio, signal) {
      await gate;
      signal?.throwIfAborted();
      return engines.measureVoice(audio, signal);
    },
    // Others go on using them.
    async close() {},
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

/** The whole story in one file. */
export const recording = recordTones(storyInTwo.map(({ text }) => text).join(' '));
/** The recording's length. */
export const SECONDS = (recording.length - 44) / (2 * RATE);

/** The labels of a message's buttons and menus. */
export const labels = (message: APIMessage) => partsOf(message.components).flatMap((part) => ('label' in part ? [part.label ?? ''] : []));

/** A Parley whose voice service trains when it is told to. */
export function useVoiceMaking(options: Omit<ParleyOptions, 'service'> = {}) {
  const engines = createGatedEngines();
  const fixture = { engines } as Parley & { engines: typeof engines };
  let service: TestVoiceService | undefined;
  beforeAll(async () => {
    service = await startTestVoiceService({ engines });
    Object.assign(fixture, await startParley({ voiceMakers: 'everyone', ...options, service }));
  });
  afterAll(async () => {
    await fixture.close?.();
    await service?.close();
  });
  return fixture;
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
  return interaction.message((message) => labels(message).length > 0);
}

/** The same message, once it is as it should be. */
export const becomes = (who: Member, { id }: APIMessage, fits: (message: APIMessage) => boolean) =>
  who.sees((message) => message.id === id && fits(message));

export const isReady = (message: APIMessage) => labels(message).includes('Use as my voice');

/** What the question has become once it is over without a voice. */
export const readEnd = async (who: Member, question: APIMessage): Promise<string> =>
  textOf(await becomes(who, question, (message) => labels(message).length === 0 && textOf(message) !== ''));

/** Nothing of any voice is left: not at the service, not in the store, and nothing was charged. */
export async function expectNothingLeft(parley: Parley): Promise<void> {
  const owned = await createVoiceOwners(parley.store).all();
  expect({ models: await listModels(parley), pending: await listPending(parley), owned }).toEqual({ models: [], pending: [], owned: [] });
  expect((await parley.api.getCredit()).credit).toBe('1000');
}
