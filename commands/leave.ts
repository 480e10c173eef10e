// /leave: makes the bot leave the voice channel.
import { ApplicationCommandType, type ChatInputCommandInteraction, InteractionContextType } from 'discord.js';
import { card, cards, text } from '../src/bot/cards.ts';
import type { InteractionContext, SlashCommand } from '../src/bot/command.ts';
import { isModerator } from '../src/bot/permissions.ts';
import type { FindSpeaking, Speaking } from '../src/bot/speaking.ts';
import { UserError } from '../src/bot/user-error.ts';
import { described } from '../src/locales/index.ts';
import type { Reading } from '../src/reading/types.ts';
import { listenersIn } from '../src/say/voice-channel.ts';

interface LeaveContext extends InteractionContext {
  speakingIn: FindSpeaking;
  reading: Reading;
}

export const leave = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'leave',
    ...described((t) => t.commands.leave.description),
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  whileDraining: true,
  async run(interaction, { speakingIn, reading, publicWords: t }) {
    const guildId = interaction.guildId ?? '';
    const speaking = await speakingIn(guildId);
    const channelId = speaking?.channelId;
    if (!speaking || !channelId) throw new UserError((words) => words.voiceChannels.botNotInVoice);
    if (!isModerator(interaction, speaking) && disturbs(interaction, speaking)) throw new UserError((words) => words.queue.othersWaiting);
    // Otherwise the next message would bring it back.
    reading.pause(guildId);
    await speaking.leave();
    const comesBack = reading.channels(guildId).length > 0 ? t.reading.pausedReading : null;
    await interaction.reply(cards(card('neutral', text(t.queue.left(channelId)), comesBack === null ? null : text(`-# ${comesBack}`))));
  },
} satisfies SlashCommand<LeaveContext>;

/** Whether others have utterances in the queue, unless the member is the only listener. */
function disturbs({ guild, user }: ChatInputCommandInteraction, { items, channelId }: Speaking): boolean {
  if (items.every(({ memberId }) => memberId === user.id)) return false;
  const listeners = guild && channelId ? listenersIn(guild, channelId) : [];
  return !(listeners.length === 1 && listeners[0] === user.id);
}
