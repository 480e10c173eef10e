// Voices that members made of recordings: created at the voice service, and noted as theirs.
import { expect, vi } from 'vitest';
import { createVoiceOwners, type OwnVoice } from '../../src/voices/owners.ts';
import type { Member } from './member.ts';
import type { Parley } from './parley.ts';
import { recordTones } from './tones.ts';
import { WAIT_MS } from './waiter.ts';

/** A story of 10 s told in tones, in two recordings: what is needed for a voice, and no more. */
export const storyInTwo = [
  'The tide was out when we came down to the harbour this morning, and all the little boats lay in the mud.',
  'Nobody was about but an old man, who mended his nets and told us that there would be rain.',
].map((text) => ({ audio: recordTones(text), text }));

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
