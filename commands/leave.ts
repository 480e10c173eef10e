// /leave: makes the bot leave the voice channel.
import { ApplicationCommandType, type ChatInputCommandInteraction, InteractionContextType } from 'discord.js';
import { card, cards, text } from '../src/bot/cards.ts';
import type { InteractionContext, SlashCommand } from '../src/bot/command.ts';
import { isModerator } from '../src/bot/permissions.ts';
import { UserError } from '../src/bot/user-error.ts';
import { described } from '../src/locales/index.ts';
import type { Reading } from '../src/reading/types.ts';
import { listenersIn } from '../src/say/voice-channel.ts';
import type { Session, Sessions } from '../src/voice/types.ts';

interface LeaveContext extends InteractionContext {
  sessions: Sessions;
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
  async run(interaction, { sessions, reading, publicWords: t }) {
    const guildId = interaction.guildId ?? '';
    const session = sessions.get(guildId);
    if (!session) throw new UserError((words) => words.voiceChannels.botNotInVoice);
    if (!isModerator(interaction, session) && disturbs(interaction, session)) throw new UserError((words) => words.queue.othersWaiting);
    const { channelId } = session;
    // Otherwise the next message would bring it back.
    reading.pause(guildId);
    session.leave();
    const comesBack = reading.channels(guildId).length > 0 ? t.reading.pausedReading : null;
    await interaction.reply(cards(card('neutral', text(t.queue.left(channelId)), comesBack === null ? null : text(`-# ${comesBack}`))));
  },
} satisfies SlashCommand<LeaveContext>;

/** Whether others have utterances in the queue, unless the member is the only listener. */
function disturbs({ guild, user }: ChatInputCommandInteraction, session: Session): boolean {
  if (session.items().every(({ memberId }) => memberId === user.id)) return false;
  const listeners = guild ? listenersIn(guild, session.channelId) : [];
  return !(listeners.length === 1 && listeners[0] === user.id);
}
