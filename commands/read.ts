// /read: has a channel's messages read aloud in a voice channel, shows how that is going, and lets members opt out.
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  type ChatInputCommandInteraction,
  InteractionContextType,
  MessageFlags,
} from 'discord.js';
import { asEdit, asPrivate, notice } from '../src/discord/cards.ts';
import type { SlashCommand } from '../src/discord/command.ts';
import { on } from '../src/discord/custom-ids.ts';
import { UserError } from '../src/discord/errors.ts';
import { findExposed } from '../src/discord/exposure.ts';
import { isEmptyChannel } from '../src/discord/voice-channels.ts';
import { described } from '../src/locales/command-texts.ts';
import { joinSentences } from '../src/locales/format.ts';
import { checkStart, findStoppable, type Start } from '../src/reading/start-rules.ts';
import type { ReadingCommandContext } from '../src/reading/types.ts';
import { exposedQuestion, gatherStatus, readId, startedMessage, statusMessage, stoppedMessage } from '../src/reading/views.ts';

const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;

export const read = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'read',
    ...described('commands.read.description'),
    contexts: [InteractionContextType.Guild],
    options: [
      {
        type: Subcommand,
        name: 'start',
        ...described('commands.read.start'),
        options: [
          {
            type: ApplicationCommandOptionType.Channel,
            name: 'voice_channel',
            ...described('commands.read.voiceChannel'),
            channel_types: [ChannelType.GuildVoice],
          },
        ],
      },
      { type: Subcommand, name: 'stop', ...described('commands.read.stop') },
      { type: Subcommand, name: 'status', ...described('commands.read.status') },
      {
        type: SubcommandGroup,
        name: 'me',
        ...described('commands.read.me'),
        options: [
          { type: Subcommand, name: 'on', ...described('commands.read.meOn') },
          { type: Subcommand, name: 'off', ...described('commands.read.meOff') },
        ],
      },
    ],
  },

  needsMessages: true,

  // Opting out works everywhere, for everybody.
  checksFor: ({ options }) => (['start', 'stop'].includes(options.getSubcommand(false) ?? '') ? { restricted: true } : {}),

  async run(interaction, context) {
    const subcommand = interaction.options.getSubcommand(false);
    switch (subcommand) {
      case 'start':
        return start(interaction, context);
      case 'stop':
        return stop(interaction, context);
      case 'status':
        return showStatus(interaction, context);
      case 'on':
      case 'off':
        return setOwn(interaction, context, subcommand === 'on');
      default:
        throw new UserError((t) => t('general.unknownCommand'));
    }
  },

  components: [
    on(readId, {
      restricted: true,
      async run(interaction, context, { action, textChannelId, voiceChannelId }) {
        if (action === 'keep') {
          await interaction.update(asEdit(notice(context.t('reading.cancelled'), 'neutral')));
          return;
        }
        if (interaction.channelId !== textChannelId) throw new UserError((t) => t('general.expiredMessage'));
        const message = await begin(await checkStart(interaction, context, voiceChannelId), context);
        await interaction.update(asEdit(notice(context.t('reading.startedAnyway'), 'done')));
        await interaction.followUp(message);
      },
    }),
  ],
} satisfies SlashCommand<ReadingCommandContext>;

async function start(interaction: ChatInputCommandInteraction, context: ReadingCommandContext): Promise<void> {
  const wanted = await checkStart(interaction, context, interaction.options.getChannel('voice_channel')?.id);
  const exposed = await findExposed(wanted.text, wanted.voice);
  if (exposed) await interaction.reply(asPrivate(exposedQuestion(context.t, exposed, wanted.text.id, wanted.voice.id)));
  else await interaction.reply(await begin(wanted, context));
}

/** Starts reading, and returns the message for everybody in the channel. @throws VoiceError, StoreError */
async function begin({ member, text, voice }: Start, { reading, settings, publicT }: ReadingCommandContext) {
  const { ignorePrefix } = (await settings.guild(voice.guildId)).reading;
  const channels = { textChannelId: text.id, voiceChannelId: voice.id };
  const how = await reading.start(voice.guild, { ...channels, startedBy: member.id });
  return startedMessage(publicT, { ...channels, how, memberId: member.id, ignorePrefix, isEmpty: isEmptyChannel(voice) });
}

/** Stops reading this channel, or, if it isn't being read, every channel that is. */
async function stop(interaction: ChatInputCommandInteraction, context: ReadingCommandContext): Promise<void> {
  const { reading, sessions, publicT } = context;
  const { guildId, channelId, user } = interaction as ChatInputCommandInteraction<'cached'>;
  const read = reading.channels(guildId);
  if (read.length === 0) throw new UserError((t) => t('reading.notReading'), { isEmptyState: true });
  const here = read.filter(({ textChannelId }) => textChannelId === channelId);
  const { stoppable, refusal } = await findStoppable(interaction, context, here.length > 0 ? here : read, sessions.get(guildId));
  if (stoppable.length === 0) throw new UserError(refusal);
  const stopped = await reading.stop(
    guildId,
    stoppable.map(({ textChannelId }) => textChannelId),
  );
  await interaction.reply(stoppedMessage(publicT, user.id, stopped));
}

async function showStatus(interaction: ChatInputCommandInteraction, context: ReadingCommandContext): Promise<void> {
  if (!interaction.inCachedGuild()) throw new UserError((t) => t('reading.notInGuild'));
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  await interaction.editReply(asEdit(statusMessage(context.t, await gatherStatus(interaction, context))));
}

/** Applies in every server, also to messages that are already waiting. */
async function setOwn(
  interaction: ChatInputCommandInteraction,
  { reading, settings, t }: ReadingCommandContext,
  readAloud: boolean,
): Promise<void> {
  const { user, guildId } = interaction;

  await settings.changeMember(user.id, (before) => ({ ...before, readAloud }));
  if (!readAloud) {
    const dropped = await reading.end({ memberId: user.id }, { guildId, everywhere: true });
    await interaction.reply(asPrivate(notice(t('reading.meOff', { dropped }), 'done')));
    return;
  }
  const isMuted = guildId !== null && (await settings.guild(guildId)).muted.includes(user.id);
  await interaction.reply(
    asPrivate(isMuted ? notice(joinSentences(t, t('reading.meOn'), t('reading.mutedHere')), 'waiting') : notice(t('reading.meOn'), 'done')),
  );
}
