// /say: speaks a text in a voice channel, or sends it as a file; and the buttons of its replies.
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  InteractionContextType,
} from 'discord.js';
import type { SlashCommand } from '../src/bot/command.ts';
import { isGuest } from '../src/bot/permissions.ts';
import { completeVoice } from '../src/say/autocomplete.ts';
import { sayButtons } from '../src/say/buttons.ts';
import type { SayContext } from '../src/say/context.ts';
import { sendFile } from '../src/say/file.ts';
import { speak } from '../src/say/index.ts';
import { afterRestart } from '../src/say/message.ts';
import { createReply } from '../src/say/reply.ts';
import { MAX_TEXT, MAX_VOICE, type SayRequest } from '../src/say/request.ts';
import { resolveVoiceId } from '../src/say/voices.ts';

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
    const typedVoice = options.getString('voice')?.trim();
    const request: SayRequest = {
      text: options.getString('text', true).trim(),
      voice: typedVoice ? await resolveVoiceId(typedVoice, user.id, context) : null,
      speed: options.getNumber('speed'),
    };
    const asFile = options.getBoolean('as_file') ?? false;
    const reply = createReply(interaction, context, { isPrivate: asFile && isGuest(interaction) });
    // Saved as soon as the request is accepted: the member may say more while this text is still waiting, at another speed.
    let saving: Promise<unknown> | undefined;
    const saveSpeed = () => {
      const { speed } = request;
      if (speed !== null) saving ??= context.settings.changeMember(user.id, (member) => ({ ...member, speed }));
      saving?.catch(() => {});
    };
    if (asFile) await sendFile(interaction, context, request, { reply, onStart: saveSpeed });
    else await speak(interaction, context, request, { reply, onStart: saveSpeed, channelId: options.getChannel('channel')?.id });
    // A member who was first asked to confirm has chosen the speed as well.
    saveSpeed();
    // At the end, as an earlier error message would take the place of the reply.
    await saving?.catch((error: unknown) => context.reportError(interaction, error));
  },

  afterRestart: ({ embeds, components = [] }) => afterRestart({ embeds, components }),

  ...sayButtons,
} satisfies SlashCommand<SayContext>;
