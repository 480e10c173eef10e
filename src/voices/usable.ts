// Voices as one member may use them in one place: the catalogue's, their own, and those that were shared with the server.
import type { ChosenVoice } from '../settings/index.ts';
import type { OwnVoice, VoiceOwners, VoicesForUser, VoiceUser } from './owners.ts';
import { fold, type VoiceTitles } from './titles.ts';

export interface UsableVoices extends VoicesForUser {
  /** Those that members made whose title or id matches what was typed; all of them for an empty text. */
  findOwn(typed: string): OwnVoice[];
  /**
   * A voice by what a member sent: its id, or its whole title. Their own come before the catalogue's, and those before shared ones, so that
   * nobody's voice takes the place of another. Anything else counts as an id that nobody knows, voices that they may not use included.
   */
  resolve(typed: string, audience?: Parameters<VoiceTitles['resolve']>[1]): ChosenVoice;
}

/** As of now: sharing may end at any time. @throws StoreError */
export async function usableVoices(
  user: VoiceUser,
  { voiceOwners, voiceTitles }: { voiceOwners: Pick<VoiceOwners, 'forUser'>; voiceTitles: Pick<VoiceTitles, 'resolve' | 'matches'> },
): Promise<UsableVoices> {
  const { own, mayUse } = await voiceOwners.forUser(user);
  return {
    own,
    mayUse,
    findOwn: (typed) => own.filter((voice) => voiceTitles.matches(voice, typed)),
    resolve(typed, audience) {
      const byId = own.find(({ id }) => id === typed);
      if (byId) return toChosen(byId);
      if (!mayUse(typed)) return { id: typed, title: null };
      const folded = fold(typed);
      const byTitle = own.filter(({ title }) => fold(title) === folded);
      const theirs = byTitle.find(({ ownerId }) => ownerId === user.userId);
      if (theirs) return toChosen(theirs);
      const ofCatalogue = voiceTitles.resolve(typed, audience);
      const [shared] = byTitle;
      return ofCatalogue.title === null && shared ? toChosen(shared) : ofCatalogue;
    },
  };
}

function toChosen({ id, title }: OwnVoice): ChosenVoice {
  return { id, title };
}
