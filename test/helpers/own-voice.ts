// Voices that members made of recordings: created at the voice service, and noted as theirs.
import { expect, vi } from 'vitest';
import { createVoiceOwners, type OwnVoice } from '../../src/voices/owners.ts';
import type { Member } from './member.ts';
import type { Parley } from './parley.ts';
import { librivoxRecordings } from './speech.ts';

/** A man who reads for 12 s, which is enough, and what he reads, so that training needn't listen first. */
const recordings = librivoxRecordings().filter((_, index) => index === 0 || index === 2);

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
  const { id } = await api.createModel({ title, visibility, recordings });
  const consent = { kind: 'own', memberId: userId, at: Date.now() } as const;
  const voice = { id, ownerId: userId, title, description: '', createdAt: Date.now(), sharedWith, consent };
  await createVoiceOwners(store).save(voice);
  if (!isUntrained) await vi.waitFor(async () => expect((await api.getModel(id)).state).toBe('trained'), { timeout: 60_000 });
  return voice;
}
