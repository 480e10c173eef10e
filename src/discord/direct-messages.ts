// Members who write to the bot directly, as to a person, are told once a day that it only understands commands.
import { type APIMessage, type Client, MessageType, Routes } from 'discord.js';
import { en, languages, type Translator, translatorFor } from '../locales/index.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import { detectLanguage } from '../text/language.ts';
import { notice } from './cards.ts';
import { describeError } from './errors.ts';

const HINT_MS = 24 * 3600_000;
const WRITTEN: readonly MessageType[] = [MessageType.Default, MessageType.Reply];

/** The store key that notes that the member has had the hint. */
export const directHintKey = (memberId: string) => `direct-hint:${memberId}`;

/** Returns a function to call with each of these messages. */
export function createDirectHints(client: Client, { store, log }: { store: Store; log: Log }): (message: APIMessage) => void {
  async function answer({ channel_id, author, content }: APIMessage): Promise<void> {
    // Only one process answers, because several may have received it.
    if (!(await store.compareAndSet(directHintKey(author.id), null, true, { expiresInMs: HINT_MS }))) return;
    const t = await translatorOf(content);
    await client.rest.post(Routes.channelMessages(channel_id), { body: notice(t('general.directHint')) });
  }

  return (message) => {
    if (message.author.bot || !WRITTEN.includes(message.type)) return;
    answer(message).catch((error: unknown) => log.warn(describeError(error), 'a direct message could not be answered'));
  };
}

/** In the language of what a member wrote, if that is certain. */
async function translatorOf(text: string): Promise<Translator> {
  const language = await detectLanguage(text, en.locale);
  return translatorFor(languages.find(({ locale }) => locale.split('-')[0] === language)?.locale);
}
