// /say: speaks a text in a voice channel, or sends it as a voice message or a file; and the buttons of its replies.
import { ApplicationCommandOptionType, ApplicationCommandType, ChannelType } from 'discord.js';
import { EVERYWHERE, type SlashCommand } from '../src/discord/command.ts';
import { isGuest } from '../src/discord/permissions.ts';
import { described, named } from '../src/locales/command-texts.ts';
import { completeVoice } from '../src/say/autocomplete.ts';
import { sayButtons } from '../src/say/buttons.ts';
import { MAX_TEXT, MAX_VOICE, type SayContext, type SayRequest } from '../src/say/context.ts';
import { sendFile } from '../src/say/file.ts';
import { createReply, type ReplyPolicy } from '../src/say/reply.ts';
import { resumeSpeaking, speak } from '../src/say/say.ts';
import { createChoiceSaver, resolveVoice } from '../src/say/voice-choice.ts';
import { sendVoiceMessage } from '../src/say/voice-message.ts';
import { MOODS } from '../src/synthesis/index.ts';
import { voiceUserOf } from '../src/voice-catalogue/titles.ts';

/** Values of `send_as`. */
const OUTPUTS = ['channel', 'message', 'file'] as const;

export const say = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'say',
    ...described('commands.say.description'),
    ...EVERYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'text',
        ...described('commands.say.text'),
        required: true,
        max_length: MAX_TEXT,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'voice',
        ...described('commands.say.voice'),
        autocomplete: true,
        max_length: MAX_VOICE,
      },
      {
        type: ApplicationCommandOptionType.Channel,
        name: 'channel',
        ...described('commands.say.channel'),
        channel_types: [ChannelType.GuildVoice],
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'send_as',
        ...described('commands.say.sendAs'),
        choices: OUTPUTS.map((output) => ({ value: output, ...named(`commands.say.outputs.${output}`) })),
      },
      {
        type: ApplicationCommandOptionType.Number,
        name: 'speed',
        ...described('commands.say.speed'),
        min_value: 0.5,
        max_value: 2,
      },
    ],
  },

  spends: 'speech',

  complete: completeVoice,

  async run(interaction, context) {
    const { options } = interaction;
    const typedVoice = options.getString('voice')?.trim();
    const voice = typedVoice ? await resolveVoice(typedVoice, voiceUserOf(interaction), context) : null;
    const request: SayRequest = {
      text: options.getString('text', true).trim(),
      voice: voice?.id ?? null,
      speed: options.getNumber('speed'),
      mood: MOODS.find((mood) => mood === options.getString('mood')) ?? null,
    };
    // Discord shows the options of an earlier version for up to an hour; `as_file` was one of them.
    const wanted = OUTPUTS.find((output) => output === options.getString('send_as')) ?? (options.getBoolean('as_file') ? 'file' : null);
    // In direct messages, and in servers that the bot is not a member of, there is no voice channel.
    const sendAs = wanted === 'file' || interaction.inCachedGuild() ? (wanted ?? 'channel') : 'message';
    const isPrivate = sendAs !== 'channel' && isGuest(interaction);
    const mayBeUnknown = voice !== null && voice.title === null;
    const policy: ReplyPolicy = mayBeUnknown && !isPrivate ? { kind: 'cautious' } : { kind: 'response', isPrivate };
    const reply = createReply(interaction, context, policy);
    // As soon as the request is accepted: the member may say more, in another voice, while this text is still waiting.
    const saveChoice = createChoiceSaver(interaction, context, { voice, speed: request.speed });
    const replyOptions = { reply, onStart: saveChoice, keepsVoice: request.voice !== null };
    if (sendAs === 'file') await sendFile(interaction, context, request, replyOptions);
    else if (sendAs === 'message')
      await sendVoiceMessage(interaction, context, request, { ...replyOptions, isInstead: wanted === 'channel' });
    else await speak(interaction, context, request, { ...replyOptions, channelId: options.getChannel('channel')?.id });
    // A member who was first asked to confirm has chosen the options all the same.
    // Last, because an earlier error message would take the place of the reply.
    await saveChoice().catch((error: unknown) => context.reportError(interaction, error));
  },

  resume: resumeSpeaking,

  ...sayButtons,
} satisfies SlashCommand<SayContext>;

/** /say with the option for a mood, for models that understand it. */
export const sayWithMood = {
  ...say,
  data: {
    ...say.data,
    options: [
      ...say.data.options,
      {
        type: ApplicationCommandOptionType.String,
        name: 'mood',
        ...described('commands.say.mood'),
        choices: MOODS.map((mood) => ({ value: mood, ...named(`commands.say.moods.${mood}`) })),
      },
    ],
  },
} satisfies SlashCommand<SayContext>;
