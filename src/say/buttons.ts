// The buttons of /say's replies, and the form behind one of them. Everything they need is in their custom_id and the message.
import { SnowflakeUtil } from 'discord.js';
import type { ComponentInteraction, SlashCommand } from '../bot/command.ts';
import { createPressLock } from '../bot/press-lock.ts';
import type { SayContext } from './context.ts';
import { sendFile } from './file.ts';
import { speak } from './index.ts';
import { afterRestart, readRequest, toSentMessage, withoutLiveButtons } from './message.ts';
import { checkOwnerOrModerator, removeAllOf } from './queue.ts';
import { createReplyAfterQuestion } from './reply.ts';
import { parseVoiceOptions } from './request.ts';
import { readText, sayMoreForm } from './say-more-form.ts';
import { findVoiceChannel } from './voice-channel.ts';
import { voiceName } from './voices.ts';

const confirmLock = createPressLock();

export const sayButtons = {
  components: {
    /** `say-skip:utterance:owner`: the next utterance starts. */
    'say-skip': {
      whileDraining: true,
      async run(interaction, { sessions }, [id = '', ownerId]) {
        const session = sessions.get(interaction.guildId ?? '');
        // The button's owner counts only if the utterance is no longer in the queue.
        checkOwnerOrModerator(interaction, { sessions }, session?.items().find((item) => item.id === id)?.memberId ?? ownerId);
        if (session?.skip(id) || session?.remove(id)) await interaction.deferUpdate();
        else await interaction.update(ended(interaction, id));
      },
    },
    /** `say-stop:utterance:owner`: an utterance that waits; or the one that is playing, with everything its owner has waiting. */
    'say-stop': {
      whileDraining: true,
      async run(interaction, { sessions }, [id = '', ownerId]) {
        checkOwnerOrModerator(interaction, { sessions }, ownerId);
        const session = sessions.get(interaction.guildId ?? '');
        const item = session?.items().find((one) => one.id === id);
        const isStopped = item?.playing ? removeAllOf(session, ownerId) > 0 : session?.remove(id);
        if (isStopped) await interaction.deferUpdate();
        else await interaction.update(ended(interaction, id));
      },
    },
    /** `say-replay:owner:speed:voice`. */
    'say-replay': {
      spends: 'speech',
      async run(interaction, context, [ownerId, ...voiceOptions]) {
        checkOwnerOrModerator(interaction, context, ownerId);
        await speak(interaction, context, readRequest(interaction.message, parseVoiceOptions(voiceOptions)));
      },
    },
    /** `say-file:owner:speed:voice`. */
    'say-file': {
      spends: 'speech',
      async run(interaction, context, [ownerId, ...voiceOptions]) {
        checkOwnerOrModerator(interaction, context, ownerId);
        await sendFile(interaction, context, readRequest(interaction.message, parseVoiceOptions(voiceOptions)), { isPrivate: true });
      },
    },
    /** `say-more:owner:speed:voice`. */
    'say-more': {
      leadsToSpending: 'speech',
      async run(interaction, context, [ownerId, ...voiceOptions]) {
        checkOwnerOrModerator(interaction, context, ownerId);
        // Before the member types for nothing.
        await findVoiceChannel(interaction, context);
        const options = parseVoiceOptions(voiceOptions);
        await interaction.showModal(sayMoreForm(voiceName(options.voice ? context.voiceTitles.resolve(options.voice) : null), options));
      },
    },
    /** `say-yes:output:channel:speed:voice`, below a question that only the member sees. */
    'say-yes': {
      spends: 'speech',
      async run(interaction, context, [output, channelId, ...voiceOptions]) {
        const request = readRequest(interaction.message, parseVoiceOptions(voiceOptions));
        const reply = createReplyAfterQuestion(interaction, context);
        const options = { reply, isConfirmed: true };
        await confirmLock(interaction, async () => {
          try {
            if (output === 'f') await sendFile(interaction, context, request, options);
            else await speak(interaction, context, request, { ...options, channelId });
          } catch (error) {
            await reply.delete().catch(() => {});
            throw error;
          }
        });
      },
    },
  },

  modals: {
    /** `say-more:speed:voice`. */
    'say-more': {
      spends: 'speech',
      async run(interaction, context, voiceOptions) {
        await speak(interaction, context, { ...parseVoiceOptions(voiceOptions), text: readText(interaction) });
      },
    },
  },
} satisfies Partial<SlashCommand<SayContext>>;

/** The reply of an utterance that is no longer in the queue. Its status follows soon, unless it ended with an earlier process. */
function ended({ message }: ComponentInteraction, id: string) {
  const sent = toSentMessage(message);
  const isFromEarlierProcess = SnowflakeUtil.timestampFrom(id) < performance.timeOrigin;
  return (isFromEarlierProcess && afterRestart(sent)) || { components: withoutLiveButtons(sent.components) };
}
