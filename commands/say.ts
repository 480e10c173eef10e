// /say: speaks a text in a voice channel, or gives it as a file; and the buttons of its replies.
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  GuildMember,
  InteractionContextType,
  MessageFlags,
  type VoiceBasedChannel,
} from 'discord.js';
import { ApiError } from '../src/api/index.ts';
import { checkVoiceRules } from '../src/bot/access.ts';
import type { SlashCommand } from '../src/bot/command.ts';
import { checkVoiceChannel, isGuest } from '../src/bot/permissions.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { createAllowance } from '../src/say/allowance.ts';
import { type Answer, reply, type SpeakOptions } from '../src/say/answer.ts';
import { sayButtons } from '../src/say/buttons.ts';
import { completeVoice } from '../src/say/complete.ts';
import type { SayContext } from '../src/say/context.ts';
import { giveFile } from '../src/say/file.ts';
import { afterRestart, questionMessage, sayMessage, speakerOf, statusOf } from '../src/say/message.ts';
import { type Asked, makePlan, requestOf, shareToAsk, spendingOf } from '../src/say/plan.ts';
import { queueUp } from '../src/say/queue.ts';
import { speakInOneOf } from '../src/say/utterance.ts';
import { explainRefusal, noteVoice, voiceIdOf } from '../src/say/voices.ts';
import { MAX_TEXT, MAX_VOICE, type Wish } from '../src/say/wish.ts';

export const say = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'say',
    description: 'Speak a text in your voice channel',
    integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
    options: [
      { type: ApplicationCommandOptionType.String, name: 'text', description: 'What to say', required: true, max_length: MAX_TEXT },
      {
        type: ApplicationCommandOptionType.String,
        name: 'voice',
        description: 'Voice to speak in',
        autocomplete: true,
        max_length: MAX_VOICE,
      },
      {
        type: ApplicationCommandOptionType.Channel,
        name: 'channel',
        description: 'Voice channel to speak in (yours, unless you choose another)',
        channel_types: [ChannelType.GuildVoice],
      },
      { type: ApplicationCommandOptionType.Boolean, name: 'as_file', description: 'Answer with the sound as a file instead' },
      {
        type: ApplicationCommandOptionType.Number,
        name: 'speed',
        description: 'How fast: 0.5 to 2, where 1 is as the voice speaks. It is kept for your next texts',
        min_value: 0.5,
        max_value: 2,
      },
    ],
  },

  spends: 'speech',

  complete: completeVoice,

  async run(interaction, context) {
    const { options, user } = interaction;
    const typed = options.getString('voice')?.trim();
    const speed = options.getNumber('speed');
    const voice = typed ? await voiceIdOf(typed, user.id, context) : null;
    const wish: Wish = { text: options.getString('text', true).trim(), voice, speed };
    const keepSpeed = once(async () => {
      if (speed !== null) await context.settings.changeMember(user.id, (member) => ({ ...member, speed }));
    });
    const asFile = options.getBoolean('as_file') ?? false;
    const answer = onceBegun(reply(interaction, context, { isPrivate: asFile && isGuest(interaction) }), keepSpeed);
    if (asFile) await giveFile(interaction, context, wish, { answer });
    else await speak(interaction, context, wish, { answer, channelId: options.getChannel('channel')?.id });
    // Told at the end, for it would stand in the place of the answer before. Who was asked first has chosen the speed as well.
    await keepSpeed().catch((error: unknown) => context.reportError(interaction, error));
  },

  afterRestart: ({ embeds, components = [] }) => afterRestart({ embeds, components }),

  ...sayButtons(speak, placeFor),
} satisfies SlashCommand<SayContext>;

async function speak(interaction: Asked, context: SayContext, wish: Wish, options: SpeakOptions = {}): Promise<void> {
  const channel = await placeFor(interaction, context, options.channelId);
  const plan = await makePlan(interaction, context, wish, channel.id);
  const share = options.confirmed ? null : shareToAsk(plan, context);
  if (share !== null) {
    await interaction.reply({ ...questionMessage(plan, share, 's', channel.id), flags: MessageFlags.Ephemeral });
    return;
  }
  const { speech, sessions, signal } = context;
  const allowance = createAllowance(context.credit, spendingOf(interaction, plan), plan.spoken.length);
  const utterance = speakInOneOf(plan.voices, (voice) =>
    speech.utterance(requestOf(plan, voice), {
      signal,
      memberId: interaction.user.id,
      pin: voice === plan.voices[0] ? plan.pin : null,
      permit: allowance.reserveWhole,
    }),
  );

  // All three at once: the connection, the synthesis (the queue asks for the first sound as soon as it may) and the answer.
  const playback = await queueUp(interaction, context, channel, plan, { utterance, allowance });
  const answer = options.answer ?? reply(interaction, context);
  try {
    await answer.begin();
  } catch (error) {
    // Discord or I tell the member that it has failed, who may then ask again: it must not be heard as well.
    sessions.get(channel.guildId)?.remove(playback.id);
    throw error;
  }

  const messageOf = (status: string, live: string | null = playback.id) =>
    sayMessage({ speaker: speakerOf(interaction), plan, voice: utterance.voice, status }, live);
  let isShown = false;
  let failure: unknown = null;
  /** What is queued is heard: a change of the answer that fails (deleted by a moderator, older than 15 minutes) takes nothing of that back. */
  const update = async (...status: Parameters<typeof messageOf>): Promise<void> => {
    try {
      await answer.show(messageOf(...status));
      isShown = true;
    } catch (error) {
      failure = error;
    }
  };
  if (playback.position > 0) await update(en.say.queued(playback.position));
  // Not at every step: each would be a request more for each that waits.
  if (playback.position > 1) void playback.next.then((isNext) => (isNext ? update(en.say.queued(1)) : undefined));
  if ((await playback.started) !== null) {
    await update(en.say.speaking);
    // It is being heard: what cannot be kept takes nothing of that back.
    await noteVoice(interaction, context, plan, utterance.voice).catch((error: unknown) => context.reportError(interaction, error));
  }
  const outcome = await playback.finished;
  const cause = outcome.ended === 'failed' ? explainRefusal(outcome.cause, utterance.voice) : null;
  const characters = await utterance.charged();
  const status = statusOf(outcome, { fromCache: utterance.fromCache, characters });
  // Nothing of it was heard. Where it waited for so long that it cannot be taken back, the answer itself says why.
  if (cause !== null && outcome.seconds === 0) await answer.takeBack().catch(() => {});
  else await update(status, null);
  if (cause !== null) {
    // A failed call says by itself whether it counts.
    const isCounted = outcome.seconds === 0 && characters > 0 && !(cause instanceof ApiError);
    await context.reportError(interaction, cause, {
      ...(isCounted ? { addition: en.say.chargedUnheard(characters) } : {}),
      inPublic: (content) => answer.show({ ...messageOf(status, null), content }),
    });
  }
  // It would look as if I were thinking for ever.
  else if (!isShown) throw failure;
}

/**
 * An answer begins when its text has been queued, or is made a file: what is to be kept for the next text is kept then. That one
 * may be asked for while this one still waits, and have a wish of its own.
 */
function onceBegun(answer: Answer, keep: () => Promise<void>): Answer {
  return {
    ...answer,
    begin() {
      keep().catch(() => {});
      return answer.begin();
    },
  };
}

/** Does it at the first call; later ones are given how that went. */
function once<T>(act: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}

/** The voice channel to speak in, for this member. @throws UserError if there is none, or if either may not speak there; StoreError */
async function placeFor(interaction: Asked, context: SayContext, named?: string): Promise<VoiceBasedChannel> {
  const { channel, member } = findChannel(interaction, context, named);
  checkVoiceChannel(channel, member, context.isServerMuted(member));
  checkVoiceRules(channel, member, await context.settings.guild(channel.guildId));
  return channel;
}

/** The voice channel that was named, else the member's own; for buttons else the one in which I am. @throws UserError where there is none */
function findChannel(interaction: Asked, { sessions }: SayContext, named?: string): { channel: VoiceBasedChannel; member: GuildMember } {
  const { guild, member } = interaction;
  if (!guild || !(member instanceof GuildMember)) throw new UserError(en.voiceChannels.botNotInGuild);
  const mine = interaction.isChatInputCommand() ? undefined : sessions.get(guild.id)?.channelId;
  const id = named ?? member.voice.channelId ?? mine;
  const channel = id === undefined ? undefined : guild.channels.cache.get(id);
  if (!channel?.isVoiceBased()) throw new UserError(en.voiceChannels.memberNotInVoice);
  return { channel, member };
}
