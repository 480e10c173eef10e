// /leave: makes the bot leave the voice channel.
import { ApplicationCommandType, type ChatInputCommandInteraction, InteractionContextType } from 'discord.js';
import type { SlashCommand } from '../src/bot/command.ts';
import { isModerator } from '../src/bot/permissions.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import type { Session, Sessions } from '../src/voice/types.ts';

export const leave = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'leave',
    description: 'Send me out of the voice channel, where that disturbs nobody, or as a moderator',
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  whileDraining: true,
  async run(interaction, { sessions }) {
    const session = sessions.get(interaction.guildId ?? '');
    if (!session) throw new UserError((t) => t.voiceChannels.botNotInVoice);
    if (!isModerator(interaction, session) && disturbs(interaction, session)) throw new UserError((t) => t.queue.othersWaiting);
    const { channelId } = session;
    session.leave();
    await interaction.reply(en.queue.left(channelId));
  },
} satisfies SlashCommand<{ sessions: Sessions }>;

/** Whether others have utterances in the queue, unless the member is the only listener. */
function disturbs({ guild, user, client }: ChatInputCommandInteraction, session: Session): boolean {
  if (session.items().every(({ memberId }) => memberId === user.id)) return false;
  const listeners = guild?.voiceStates.cache.filter(
    ({ channelId, id, member }) => channelId === session.channelId && id !== client.user.id && !member?.user.bot,
  );
  return !(listeners?.size === 1 && listeners.has(user.id));
}
