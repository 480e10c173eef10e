// Stop reading this member, on a member: mutes them for reading and /say, or, for admins, undoes that. It changes the list in /settings,
// the one place to look up why somebody isn't heard.
import { ApplicationCommandType, InteractionContextType, PermissionFlagsBits } from 'discord.js';
import { isAdmin } from '../src/discord/access.ts';
import { asPrivate, notice } from '../src/discord/cards.ts';
import type { UserCommand } from '../src/discord/command.ts';
import { UserError } from '../src/discord/errors.ts';
import { isModerator } from '../src/discord/permissions.ts';
import type { ReadingCommandContext } from '../src/reading/types.ts';

export const stopReading = {
  data: {
    type: ApplicationCommandType.User,
    name: 'Stop reading this member',
    contexts: [InteractionContextType.Guild],
    // Hides it from everybody else. Admins can offer it to more roles in Discord's server settings.
    default_member_permissions: String(PermissionFlagsBits.MuteMembers),
  },
  needsMessages: true,
  async run(interaction, { reading, sessions, settings, t }) {
    if (!interaction.inCachedGuild()) throw new UserError((t) => t('reading.notInGuild'));
    const { guildId, targetId, client } = interaction;
    const isByAdmin = isAdmin(interaction.memberPermissions);
    if (!isByAdmin && !isModerator(interaction, sessions.get(guildId))) throw new UserError((t) => t('queue.onlyModerators'));
    if (targetId === client.user.id) throw new UserError((t) => t('reading.cannotMuteMe'));
    const { muted } = await settings.changeGuild(guildId, (before) => {
      if (!before.muted.includes(targetId)) return { ...before, muted: [...before.muted, targetId] };
      // The list doesn't say who muted a member, and moderators mustn't undo what an admin decided.
      if (!isByAdmin) throw new UserError((t) => t('reading.onlyAdminsUnmute', { member: targetId }));
      return { ...before, muted: before.muted.filter((id) => id !== targetId) };
    });
    const isMuted = muted.includes(targetId);
    if (isMuted) await reading.end({ memberId: targetId }, { guildId });
    await interaction.reply(
      asPrivate(notice(isMuted ? t('reading.muted', { member: targetId }) : t('reading.unmuted', { member: targetId }), 'done')),
    );
  },
} satisfies UserCommand<ReadingCommandContext>;
