// Corrects what a killed process left behind: replies that say something is going on, and buttons that end it.
import { type APIMessage, type Client, DiscordAPIError, MessageFlags, Routes } from 'discord.js';
import { en } from '../locales/en/index.ts';
import type { Log } from '../log.ts';
import { afterRestart } from '../say/message.ts';
import type { Store } from '../store/index.ts';
import { stageAfterRestart } from '../transcription/view.ts';
import { describeError } from './error-boundary.ts';
import type { OpenReply } from './open-replies.ts';

interface Powers {
  client: Client<true>;
  store: Store;
  log: Log;
  /** Aborted when the bot ends: what is not corrected then is left to the next process. */
  signal: AbortSignal;
}

/** One after the other, so that Discord's limits are left to members. Never rejects. */
export async function correctReplies(replies: OpenReply[], { client, store, log, signal }: Powers): Promise<void> {
  for (const reply of replies) {
    if (signal.aborted) return;
    try {
      await correct(client, reply);
    } catch (error) {
      log.warn(describeError(error), 'a reply that an earlier process left behind could not be corrected');
      // Discord may be well again at the next start. What it refuses, it will refuse then, too.
      if (!(error instanceof DiscordAPIError)) continue;
    }
    await store.delete(reply.key).catch((error: unknown) => log.warn(describeError(error), 'a corrected reply is still noted as open'));
  }
}

async function correct({ rest, application }: Client<true>, { channelId, messageId, token }: OpenReply): Promise<void> {
  const path = token === null ? Routes.channelMessage(channelId, messageId) : Routes.webhookMessage(application.id, token, messageId);
  const auth = token === null;
  const message = (await rest.get(path, { auth })) as APIMessage;
  const body = corrected(message);
  if (body) await rest.patch(path, { auth, body });
}

/** What changes; null for a reply that was final, though there was no time to note that. */
function corrected(message: APIMessage): object | null {
  if ((message.flags ?? 0) & MessageFlags.Loading) return { content: en.general.interruptedByRestart };
  const sent = { embeds: message.embeds, components: message.components ?? [] };
  return afterRestart(sent) ?? (message.attachments.length > 0 ? null : stageAfterRestart(sent));
}
