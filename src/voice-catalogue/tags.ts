// Tags of voices in the member's language. Services write them in English, as the filter of /voices gets them.
import type { KeyIn, Translator } from '../locales/index.ts';

/** Tags of the local voices, and common ones of other services. */
const KNOWN = [
  ...['male', 'female', 'child', 'young', 'middle-aged', 'old', 'american', 'british', 'scottish'],
  ...['calm', 'warm', 'cheerful', 'energetic', 'funny', 'stern', 'friendly', 'serious', 'gentle', 'professional', 'clear', 'deep', 'high'],
  ...['fast', 'slow', 'unhurried', 'whispering', 'singing', 'robot', 'retro', 'character', 'narration', 'storytelling', 'conversation'],
  ...['conversational', 'education', 'news', 'announcement', 'radio', 'navigation', 'games', 'accessibility'],
] as const satisfies KeyIn<'voices.tags'>[];

/** The tag as it is if there is no other name for it. */
export function tagName(tag: string, t: Translator): string {
  const tagKey = KNOWN.find((key) => key === tag.toLowerCase());
  return tagKey === undefined ? tag : t(`voices.tags.${tagKey}`);
}

/** The tag that a member has called so; what is unknown is returned as it is. */
export function toTag(typed: string, t: Translator): string {
  return KNOWN.find((key) => t(`voices.tags.${key}`).toLowerCase() === typed.toLowerCase()) ?? typed;
}
