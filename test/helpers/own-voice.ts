// Voices that members made of recordings: created at the voice service, and noted as theirs.
import { expect, vi } from 'vitest';
import { createVoiceOwners, type OwnVoice } from '../../src/voices/owners.ts';
import type { Member } from './member.ts';
import type { Parley } from './parley.ts';
import { librivoxRecordings } from './speech.ts';

/**
 * Milliseconds until a voice is trained, at most. Training computes for seconds, with a low priority: beside other tests that have more to
 * do than the processor can, it takes a minute or more.
 */
export const TRAINING_MS = 240_000;

/** Gives the tests of a file the time to train voices. Call it before they are declared. */
export function allowTraining(): void {
  vi.setConfig({ testTimeout: 3 * TRAINING_MS, hookTimeout: 3 * TRAINING_MS });
}

/** A man who reads for 10 s, and what he reads: what is needed for a voice, and no more, since training listens to all of it. */
export const readings = librivoxRecordings().slice(0, 2);

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
  const { id } = await api.createModel({ title, visibility, recordings: readings });
  const consent = { kind: 'own', memberId: userId, at: Date.now() } as const;
  const voice = { id, ownerId: userId, title, description: '', createdAt: Date.now(), sharedWith, consent };
  await createVoiceOwners(store).save(voice);
  if (!isUntrained) await vi.waitFor(async () => expect((await api.getModel(id)).state).toBe('trained'), { timeout: TRAINING_MS });
  return voice;
}
