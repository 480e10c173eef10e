// The buttons of /say's replies, and the form behind one of them. All they need is in their custom_id and in the message.
import { SnowflakeUtil } from 'discord.js';
import type { ComponentInteraction, SlashCommand } from '../bot/command.ts';
import { createPressLock } from '../bot/press-lock.ts';
import { afterQuestion, type SpeakOptions } from './answer.ts';
import type { SayContext } from './context.ts';
import { giveFile } from './file.ts';
import { sayMoreForm, textOf } from './form.ts';
import { afterRestart, asSent, wishOf, withoutLiveButtons } from './message.ts';
import type { Asked } from './plan.ts';
import { checkOwner, dropAllOf } from './queue.ts';
import { nameOf } from './voices.ts';
import { readManner, type Wish } from './wish.ts';

/** Says it aloud. */
type Speak = (interaction: Asked, context: SayContext, wish: Wish, options?: SpeakOptions) => Promise<void>;

/** @param checkPlace throws what `speak` would throw about the voice channel, before anybody types for nothing */
export function sayButtons(speak: Speak, checkPlace: (interaction: Asked, context: SayContext) => Promise<unknown>) {
  const agree = createPressLock();
  return {
    components: {
      /** `say-skip:utterance:owner`: the next one's turn. */
      'say-skip': {
        whileDraining: true,
        async run(interaction, { sessions }, [id = '', ownerId]) {
          const session = sessions.get(interaction.guildId ?? '');
          // The queue knows best whose it is; the button, when it is over.
          checkOwner(interaction, { sessions }, session?.items().find((item) => item.id === id)?.memberId ?? ownerId);
          if (session?.skip(id) || session?.remove(id)) await interaction.deferUpdate();
          else await interaction.update(ended(interaction, id));
        },
      },
      /** `say-stop:utterance:owner`: a text that waits; or the one that is being said, with all that its owner has waiting. */
      'say-stop': {
        whileDraining: true,
        async run(interaction, { sessions }, [id = '', ownerId]) {
          checkOwner(interaction, { sessions }, ownerId);
          const session = sessions.get(interaction.guildId ?? '');
          const item = session?.items().find((one) => one.id === id);
          const isStopped = item?.playing ? dropAllOf(session, ownerId) > 0 : session?.remove(id);
          if (isStopped) await interaction.deferUpdate();
          else await interaction.update(ended(interaction, id));
        },
      },
      /** `say-replay:owner:speed:voice`. */
      'say-replay': {
        spends: 'speech',
        async run(interaction, context, [ownerId, ...manner]) {
          checkOwner(interaction, context, ownerId);
          await speak(interaction, context, wishOf(interaction.message, readManner(manner)));
        },
      },
      /** `say-file:owner:speed:voice`. */
      'say-file': {
        spends: 'speech',
        async run(interaction, context, [ownerId, ...manner]) {
          checkOwner(interaction, context, ownerId);
          await giveFile(interaction, context, wishOf(interaction.message, readManner(manner)), { isPrivate: true });
        },
      },
      /** `say-more:owner:speed:voice`. */
      'say-more': {
        leadsToSpending: 'speech',
        async run(interaction, context, [ownerId, ...parts]) {
          const { voiceTitles } = context;
          checkOwner(interaction, context, ownerId);
          await checkPlace(interaction, context);
          const manner = readManner(parts);
          await interaction.showModal(sayMoreForm(nameOf(manner.voice ? voiceTitles.resolve(manner.voice) : null), manner));
        },
      },
      /** `say-yes:how:channel:speed:voice`, below a question that only the member sees. */
      'say-yes': {
        spends: 'speech',
        async run(interaction, context, [how, channelId, ...manner]) {
          const wish = wishOf(interaction.message, readManner(manner));
          const answer = afterQuestion(interaction, context);
          const options = { answer, confirmed: true };
          await agree(interaction, async () => {
            try {
              if (how === 'f') await giveFile(interaction, context, wish, options);
              else await speak(interaction, context, wish, { ...options, channelId });
            } catch (error) {
              await answer.takeBack().catch(() => {});
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
        async run(interaction, context, manner) {
          await speak(interaction, context, { ...readManner(manner), text: textOf(interaction) });
        },
      },
    },
  } satisfies Partial<SlashCommand<SayContext>>;
}

/** The message of an utterance that is in the queue no more. How it ended the message says soon by itself, unless that was in an earlier process. */
function ended({ message }: ComponentInteraction, id: string) {
  const sent = asSent(message);
  const isOfEarlierProcess = SnowflakeUtil.timestampFrom(id) < performance.timeOrigin;
  return (isOfEarlierProcess && afterRestart(sent)) || { components: withoutLiveButtons(sent.components) };
}
