// What a channel is told about its voice messages: once, that they are answered and how to take part or opt out; once a day, that a budget
// is used up; and now and then, why some aren't answered.
import type { GuildTextBasedChannel, Message } from 'discord.js';
import { ApiError } from '../../api/index.ts';
import { createInTurn } from '../../async/waiting.ts';
import { BudgetError } from '../../charging/index.ts';
import { button, type CardMessage, card, cards, row, text } from '../../discord/cards.ts';
import { customId, part } from '../../discord/custom-ids.ts';
import { apiSentence, budgetSentence, describeError, explainError, logAndExplain } from '../../discord/errors.ts';
import { createNotices } from '../../discord/notices.ts';
import { type Translator, translatorFor } from '../../locales/index.ts';
import type { GuildSettings } from '../../store/settings.ts';
import { noticePrefix, toldPrefix } from './links.ts';
import type { VoiceMessagesOptions } from './options.ts';
import { findChosenChannel } from './rules.ts';

interface ChannelNotices {
  /** Tells the channel, unless it was told. @throws StoreError */
  tell(channel: GuildTextBasedChannel, guild: GuildSettings): Promise<void>;
  /** These never reject. */
  tooMany(channel: GuildTextBasedChannel, t: Translator): Promise<void>;
  littleCredit(channel: GuildTextBasedChannel, t: Translator): Promise<void>;
  /** Why a message isn't answered, if that concerns others as well. */
  report(message: Message<true>, t: Translator, cause: unknown): Promise<void>;
  /** Stops listening to changes of settings. */
  close(): void;
}

/** Milliseconds before the same is said again in a channel. */
const SAY_AGAIN_MS = 10 * 60_000;
/** How many recent notices are remembered. */
const MAX_REMEMBERED = 1_000;
/** Posts in forums come and go. */
const POST_TOLD_MS = 30 * 24 * 3600_000;

export function createChannelNotices({ client, store, settings, log, now, canRead }: VoiceMessagesOptions): ChannelNotices {
  const { post, postMessage, isFirstToday } = createNotices({ client, store, log, now });
  /** When something was last said in a channel, by both, in milliseconds since 1970. */
  const saidAt = new Map<string, number>();

  function isNew(topic: string): boolean {
    const before = saidAt.get(topic) ?? Number.NEGATIVE_INFINITY;
    if (now() - before < SAY_AGAIN_MS) return false;
    if (saidAt.size >= MAX_REMEMBERED) for (const [earlierTopic, at] of saidAt) if (now() - at >= SAY_AGAIN_MS) saidAt.delete(earlierTopic);
    saidAt.set(topic, now());
    return true;
  }

  async function sayToday(topic: string, channelId: string, sentence: string): Promise<void> {
    try {
      if (await isFirstToday(topic)) await post(channelId, sentence, 'waiting');
    } catch (error) {
      log.warn(describeError(error), 'could not tell a channel why voice messages are not answered');
    }
  }

  /** @throws StoreError */
  async function tellOnce(channelId: string, guildId: string, guild: GuildSettings, t: Translator, expiresInMs?: number): Promise<void> {
    const { who } = guild.transcripts;
    const key = toldPrefix(guildId) + channelId;
    const before = await store.get(key);
    // One process is enough to tell the channel.
    if (before === who || !(await store.compareAndSet(key, before, who, expiresInMs === undefined ? {} : { expiresInMs }))) return;
    const noticeKey = noticePrefix(guildId) + channelId;
    const former = await store.get(noticeKey);
    const replaces = before !== null && typeof former !== 'string';
    const id = await postMessage(channelId, channelNotice(t, guild.transcripts, { replaces }));
    if (id === null) return void (await store.compareAndSet(key, who, before));
    await store.set(noticeKey, id, expiresInMs === undefined ? {} : { expiresInMs });
    if (typeof former === 'string') await deleteNotice(channelId, former);
  }

  /** Deletes a notice that isn't true any more. Never rejects. */
  async function deleteNotice(channelId: string, id: string): Promise<void> {
    const channel = client.channels.cache.get(channelId);
    if (!channel?.isTextBased() || channel.isDMBased()) return;
    await channel.messages
      .delete(id)
      .catch((error: unknown) => log.warn(describeError(error), 'could not delete a notice that another one has replaced'));
  }

  /** Tells the channels that were chosen, and forgets those that no longer are. @throws StoreError */
  async function review(guildId: string, settings: GuildSettings): Promise<void> {
    const guild = client.guilds.cache.get(guildId);
    if (!guild || !canRead()) return;
    const { transcripts, language } = settings;
    for (const [key] of await store.list(toldPrefix(guildId))) {
      const channel = guild.channels.cache.get(key.slice(toldPrefix(guildId).length));
      if (channel?.isTextBased() && findChosenChannel(channel, transcripts) !== null) continue;
      await store.delete(key);
      await store.delete(key.replace(toldPrefix(guildId), noticePrefix(guildId)));
    }
    const t = translatorFor(language ?? guild.preferredLocale);
    for (const id of transcripts.channels) if (guild.channels.cache.get(id)?.isTextBased()) await tellOnce(id, guildId, settings, t);
  }

  // One after another: two changes at once would tell a channel twice.
  const inTurn = createInTurn();
  const unwatch = settings.watchGuilds((guildId, changed) => {
    inTurn(() => review(guildId, changed)).catch((error: unknown) =>
      log.warn(describeError(error), 'could not tell channels that voice messages are answered'),
    );
  });

  return {
    async tell(channel, guild) {
      const t = translatorFor(guild.language ?? channel.guild.preferredLocale);
      const isPost = channel.isThread() && (channel.parent?.isThreadOnly() ?? false);
      const told = isPost ? channel.id : (findChosenChannel(channel, guild.transcripts) ?? channel.id);
      await tellOnce(told, channel.guildId, guild, t, isPost ? POST_TOLD_MS : undefined);
    },
    async tooMany({ id }, t) {
      if (isNew(`many:${id}`)) await post(id, t('voiceMessages.tooMany'), 'waiting');
    },
    littleCredit: ({ id }, t) => sayToday(`words-credit:${id}`, id, t('voiceMessages.littleCredit')),
    async report({ guildId, channelId, author }, t, cause) {
      if (cause instanceof BudgetError) {
        const sentence = budgetSentence(t, cause);
        return cause.owner === 'guild'
          ? sayToday(`words-budget:${channelId}`, channelId, sentence)
          : sayToday(`words-budget:${guildId}:${author.id}`, channelId, t('general.toMember', { member: author.id, sentence }));
      }
      const message = 'a voice message could not be answered';
      const { sentence } = logAndExplain(cause, log, guildId, { unknown: message, known: message });
      const topic = cause instanceof ApiError ? cause.kind : explainError(cause) === null ? 'unexpected' : null;
      // What Discord refuses, or the store, can't be said here either, or is over by the next message.
      if (topic === null || !isNew(`${topic}:${channelId}`)) return;
      await post(channelId, cause instanceof ApiError ? apiSentence(t, cause) : sentence(t));
    },
    close: unwatch,
  };
}

/** Below the notice. */
export const takePartId = customId('voice-messages', { action: part.oneOf('on', 'off') });

/**
 * Tells a channel that its voice messages are answered, with the button to take part or to stay out.
 * @param replaces an earlier notice there that says otherwise, and whose id isn't known
 */
export function channelNotice(
  t: Translator,
  { who, files }: Pick<GuildSettings['transcripts'], 'who' | 'files'>,
  { replaces = false } = {},
): CardMessage {
  return cards(
    card(
      'neutral',
      text(t(`voiceMessages.notice.${who}`, { files })),
      text(`-# ${t('voiceMessages.notice.kept')}`),
      replaces ? text(`-# ${t('voiceMessages.notice.replaces')}`) : null,
      row(
        who === 'asked'
          ? button(t('voiceMessages.onButton'), takePartId.write({ action: 'on' }))
          : button(t('voiceMessages.offButton'), takePartId.write({ action: 'off' })),
      ),
    ),
  );
}
