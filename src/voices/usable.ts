// Voices as one member may use them in one place: the catalogue's, their own, and those that were shared with the server.
import type { ChosenVoice } from '../settings/index.ts';
import { handleOf, isHandle, type OwnVoice, type VoiceAccess, type VoiceOwners, type VoiceUser } from './owners.ts';
import { fold, type VoiceTitles } from './titles.ts';

/** As of now: sharing may end at any time. All methods reject with StoreError on failure. */
export interface UsableVoices {
  /** Those that members made whose title or id matches what was typed; all of them for an empty text. Their own ones first. */
  findOwn(typed: string): Promise<OwnVoice[]>;
  accessOf(voiceId: string): Promise<VoiceAccess>;
  /**
   * A voice by what a member sent: its id, its handle, or its whole title. Their own come before the catalogue's, and those before shared ones, so that
   * nobody's voice takes the place of another. Anything else counts as an id that nobody knows, voices that they may not use included.
   */
  resolve(typed: string, audience?: Parameters<VoiceTitles['resolve']>[1]): Promise<ChosenVoice>;
}

export function usableVoices(
  user: VoiceUser,
  {
    voiceOwners,
    voiceTitles,
  }: { voiceOwners: Pick<VoiceOwners, 'usableBy' | 'accessOf' | 'find'>; voiceTitles: Pick<VoiceTitles, 'resolve' | 'matches'> },
): UsableVoices {
  const accessOf = (voiceId: string) => voiceOwners.accessOf(voiceId, user);
  return {
    findOwn: async (typed) => (await voiceOwners.usableBy(user)).filter((voice) => voiceTitles.matches(voice, typed)),
    accessOf,
    async resolve(typed, audience) {
      if (isHandle(typed)) {
        const voice = (await voiceOwners.usableBy(user)).find(({ id }) => handleOf(id) === typed);
        return voice ? toChosen(voice) : { id: typed, title: null };
      }
      const access = await accessOf(typed);
      const byId = access === 'own' ? await voiceOwners.find(typed) : null;
      if (byId) return toChosen(byId);
      if (access !== 'catalogue') return { id: typed, title: null };
      const ofCatalogue = voiceTitles.resolve(typed, audience);
      // An id, as it comes from a menu: no titles need to be read.
      if (ofCatalogue.title !== null && ofCatalogue.id === typed) return ofCatalogue;
      const folded = fold(typed);
      const byTitle = (await voiceOwners.usableBy(user)).filter(({ title }) => fold(title) === folded);
      const theirs = byTitle.find(({ ownerId }) => ownerId === user.userId);
      if (theirs) return toChosen(theirs);
      const [shared] = byTitle;
      return ofCatalogue.title === null && shared ? toChosen(shared) : ofCatalogue;
    },
  };
}

function toChosen({ id, title }: OwnVoice): ChosenVoice {
  return { id, title };
}
