// The buttons and the menu of /say's replies, and the form behind one of them. What they need is in their custom_id and the message, or in
// the store if the message cuts the text.
import {
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  type ModalSubmitInteraction,
  SnowflakeUtil,
  TextInputStyle,
} from 'discord.js';
import { asPrivate, card, cards, text as textPart } from '../discord/cards.ts';
import type { Checks, ComponentInteraction, SlashCommand } from '../discord/command.ts';
import { on } from '../discord/custom-ids.ts';
import { replyPrivately, UserError } from '../discord/errors.ts';
import { createPressLock } from '../discord/press-lock.ts';
import { checkOwnerOrModerator, endAllOf, type Speaking } from '../discord/speaking.ts';
import { findVoiceChannel } from '../discord/voice-channels.ts';
import type { Translator } from '../locales/index.ts';
import { readKeptText } from '../store/index.ts';
import { asPlain, truncate } from '../text/untrusted-text.ts';
import { isHandle } from '../voice-catalogue/owners.ts';
import { usableVoices, voiceUserOf } from '../voice-catalogue/titles.ts';
import { voiceName } from '../voice-catalogue/voice-name.ts';
import { MAX_TEXT, type SayContext, type SayInteraction, type SayRequest, type VoiceOptions } from './context.ts';
import { againId, cancelId, confirmId, earlierEditId, sayMoreFormId, sayMoreId, skipId, stopId } from './custom-ids.ts';
import { sendFile } from './file.ts';
import { interruptedReply, readText, toSentMessage, withoutLiveButtons } from './message.ts';
import { namesFor } from './plan.ts';
import { type Destination, editFormId, editId, sayInId } from './refused-text.ts';
import { createReply, type ReplyOptions } from './reply.ts';
import { speak } from './say.ts';
import { wholeText } from './shown-text.ts';
import { sendVoiceMessage } from './voice-message.ts';

const confirmLock = createPressLock();

export const sayButtons = {
  components: [
    on(skipId, {
      whileDraining: true,
      async run(interaction, context, { utterance, ownerId }) {
        const { speaking } = await findQueued(interaction, context, utterance, ownerId, 'skip');
        await showEnd(interaction, context, utterance, { speaking, count: await speaking?.end([utterance], 'skipped') });
      },
    }),
    on(cancelId, {
      whileDraining: true,
      async run(interaction, context, { utterance, ownerId }) {
        const { speaking } = await findQueued(interaction, context, utterance, ownerId, 'stop');
        await showEnd(interaction, context, utterance, { speaking, count: await speaking?.end([utterance]) });
      },
    }),
    on(stopId, {
      whileDraining: true,
      async run(interaction, context, { utterance, ownerId }) {
        const { speaking, item } = await findQueued(interaction, context, utterance, ownerId, 'stop');
        const ending = item?.playing && speaking ? endAllOf(speaking, item.memberId) : speaking?.end([utterance]);
        await showEnd(interaction, context, utterance, { speaking, count: await ending });
      },
    }),
    on(againId, {
      checksFor: (interaction) => checksOf[readAction(interaction).action] ?? { spends: 'speech' },
      async run(interaction, context, { ownerId, options }) {
        const { action, textKey } = readAction(interaction);
        // Allowed for everybody, because the text was sent for everybody to read.
        if (action === 'show') return showText(interaction, context, ownerId, textKey);
        checkOwnerOrModerator(interaction, sessionOf(interaction, context), ownerId);
        if (action === 'more') return showForm(interaction, context, options, { output: 's' });
        const request = { ...options, text: await findText(interaction, context, ownerId, textKey) };
        if (action === 'file') await sendFile(interaction, context, request, { isPrivate: true });
        else if (action === 'message') await sendVoiceMessage(interaction, context, request, { asksFirst: true });
        else await speak(interaction, context, request);
      },
    }),
    on(sayMoreId, {
      leadsToSpending: 'speech',
      async run(interaction, context, { ownerId, options }) {
        checkOwnerOrModerator(interaction, sessionOf(interaction, context), ownerId);
        await showForm(interaction, context, options, { output: 's' });
      },
    }),
    on(editId, {
      leadsToSpending: 'speech',
      async run(interaction, context, { output, channelId, textKey, options }) {
        const text = await findText(interaction, context, interaction.user.id, textKey);
        await showForm(interaction, context, options, { output, channelId, text });
      },
    }),
    on(earlierEditId, {
      leadsToSpending: 'speech',
      async run(interaction, context, { textKey, options }) {
        const text = await findText(interaction, context, interaction.user.id, textKey);
        await showForm(interaction, context, options, { output: 's', text });
      },
    }),
    on(sayInId, {
      spends: 'speech',
      async run(interaction, context, { output, channelId, anyway, textKey, options }) {
        const text = await findText(interaction, context, interaction.user.id, textKey);
        await sendTo(interaction, context, { ...options, text, ...(anyway && { anyway }) }, { output, channelId });
      },
    }),
    on(confirmId, {
      spends: 'speech',
      async run(interaction, context, { output, channelId, textKey, options }) {
        const text = await findText(interaction, context, interaction.user.id, textKey);
        await confirm(interaction, context, { ...options, text }, { output, channelId });
      },
    }),
  ],

  modals: [
    on(sayMoreFormId, {
      spends: 'speech',
      async run(interaction, context, { options }) {
        await speak(interaction, context, { ...options, text: readFormText(interaction) });
      },
    }),
    on(editFormId, {
      spends: 'speech',
      async run(interaction, context, { output, channelId, options }) {
        await sendTo(interaction, context, { ...options, text: readFormText(interaction) }, { output, channelId });
      },
    }),
  ],
} satisfies Partial<SlashCommand<SayContext>>;

/** Has a text said or sent as the member first wanted, before it was refused or they were asked. */
async function sendTo(
  interaction: SayInteraction,
  context: SayContext,
  request: SayRequest,
  { output, channelId }: Destination,
  options: ReplyOptions = {},
): Promise<void> {
  if (output === 's') await speak(interaction, context, request, { ...options, channelId: channelId || undefined });
  else if (output === 'm') await sendVoiceMessage(interaction, context, request, options);
  else await sendFile(interaction, context, request, { ...options, isPrivate: output === 'p' });
}

/** @throws UserError unless the member may do this. The button's owner counts only if the utterance is no longer in the queue. */
async function findQueued(interaction: ComponentInteraction, context: SayContext, id: string, ownerId: string, action: 'skip' | 'stop') {
  const speaking = await context.speakingIn(interaction.guildId);
  const item = speaking?.items.find((queued) => queued.id === id);
  checkOwnerOrModerator(interaction, speaking, item?.memberId ?? ownerId, action);
  return { speaking, item };
}

function sessionOf({ guildId }: ComponentInteraction, { sessions }: Pick<SayContext, 'sessions'>) {
  return sessions.get(guildId ?? '');
}

/** Checks for actions that cost nothing themselves. */
const checksOf: Record<string, Checks> = { show: {}, more: { leadsToSpending: 'speech' } };

/** What was chosen in the menu. */
function readAction(interaction: ComponentInteraction): { action: string; textKey: string } {
  const [action = '', textKey = ''] = (interaction.isStringSelectMenu() ? (interaction.values[0] ?? '') : '').split(':');
  return { action, textKey };
}

/** The text that a reply is about. @throws UserError if it is gone, StoreError */
async function findText({ message }: ComponentInteraction, { store }: SayContext, ownerId: string, textKey: string): Promise<string> {
  const text = textKey === '' ? readText(toSentMessage(message)) : await readKeptText(store, ownerId, textKey);
  if (!text) throw new UserError((t) => t('say.textGone'));
  return text;
}

/** Shows the whole text to the member who asked. */
async function showText(interaction: ComponentInteraction, context: SayContext, ownerId: string, textKey: string): Promise<void> {
  const text = await findText(interaction, context, ownerId, textKey);
  await interaction.reply(asPrivate(cards(card('neutral', textPart(wholeText(text, namesFor(interaction)))))));
}

/** @param to.text what was typed before; absent = the form is empty, and sends to the member's voice channel */
async function showForm(
  interaction: ComponentInteraction,
  context: SayContext,
  options: VoiceOptions,
  to: Destination & { text?: string },
): Promise<void> {
  // Checked first, so the member doesn't type in vain.
  if (to.output === 's') await findVoiceChannel(interaction, context, to.channelId || undefined);
  const { resolve } = usableVoices(voiceUserOf(interaction), context);
  const voice = options.voice ? await resolve(options.voice) : null;
  if (voice?.title === null && isHandle(voice.id)) throw new UserError((t) => t('say.voiceNotHere'));
  const name = voiceName(voice, context.t);
  const id =
    to.text === undefined
      ? sayMoreFormId.writeIfItFits({ options })
      : editFormId.writeIfItFits({ ...to, channelId: to.channelId ?? '', options });
  await interaction.showModal(sayForm(context.t, name, id, to.text));
}

/** The member has agreed to the cost. */
async function confirm(
  interaction: ComponentInteraction,
  context: SayContext,
  request: SayRequest,
  destination: Destination,
): Promise<void> {
  const reply = createReply(interaction, context, { kind: 'after question', question: interaction });
  await confirmLock(interaction, async () => {
    try {
      await sendTo(interaction, context, request, destination, { reply, isConfirmed: true });
    } catch (error) {
      await reply.delete().catch(() => {});
      throw error;
    }
  });
}

/**
 * Acknowledges a button that ends an utterance. If the utterance had already ended, its reply soon says so, unless it ended with an earlier
 * process.
 * @param count how many utterances were ended
 */
async function showEnd(
  interaction: ComponentInteraction,
  { publicT: t }: SayContext,
  id: string,
  { speaking, count = 0 }: { speaking: Speaking | null; count: number | undefined },
): Promise<void> {
  // If the other process was killed, the next one corrects the reply.
  if (count === 0 && speaking?.elsewhere === 'unknown') return replyPrivately(interaction, (t) => t('general.restarting'));
  if (count > 0 || speaking?.elsewhere === 'known') return void (await interaction.deferUpdate());
  const sent = toSentMessage(interaction.message);
  const isFromEarlierProcess = SnowflakeUtil.timestampFrom(id) < performance.timeOrigin;
  const edit = isFromEarlierProcess ? interruptedReply(sent, t) : withoutLiveButtons(sent, t, null);
  if (edit) await interaction.update(edit);
  else await interaction.deferUpdate();
}

// The form behind "Say more" and "Edit the text": another text in the same voice.

const FIELD = 'text';
/** Discord's limit for the title of a form, and for a label. */
const MAX_TITLE = 45;

/** @param typed the text that the form begins with @throws RangeError if the id of the voice was too long for a custom_id */
export function sayForm(
  t: Translator,
  voiceName: string,
  custom_id: string | null,
  typed?: string,
): APIModalInteractionResponseCallbackData {
  if (custom_id === null) throw new RangeError('The id of the voice is too long for a form.');
  return {
    custom_id,
    title: truncate(t('say.sayMoreTitle', { voice: asPlain(voiceName, MAX_TITLE) }), MAX_TITLE),
    components: [
      {
        type: ComponentType.Label,
        label: t('say.sayMoreLabel'),
        component: {
          type: ComponentType.TextInput,
          custom_id: FIELD,
          style: TextInputStyle.Paragraph,
          max_length: MAX_TEXT,
          required: true,
          ...(typed && { value: typed }),
        },
      },
    ],
  };
}

function readFormText({ fields }: ModalSubmitInteraction): string {
  return fields.getTextInputValue(FIELD).trim();
}
