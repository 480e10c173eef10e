// A message's menu: commands of the application, reactions, reply, edit, forward, copy and delete.
import { type APIMessage, ApplicationCommandType, MessageFlags, MessageType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { draftAbout } from '../composer/draft.ts';
import { call } from '../connection.ts';
import { type Action, openMenu, openNextMenu } from '../controls/context-menu.ts';
import { dismissMessage } from '../events.ts';
import { openMemberMenu } from '../member-menu.ts';
import { channelTitle, currentGuild, isDm, isReadable, mayInGuild, showError, showNotice, state } from '../state.ts';
import { listTargetActions } from '../target-commands.ts';
import { threadAction } from '../threads.ts';
import { textOf } from './message-text.ts';
import { toggleReaction } from './reactions.ts';

/** The rest of the thousands would need a search. */
const EMOJI = ['👍', '❤️', '😂', '🎉', '😮', '😢', '🔥', '👀', '✅', '❌', '🙏', '👎'];

const WRITTEN_TYPES: MessageType[] = [MessageType.Default, MessageType.Reply, MessageType.ChatInputCommand, MessageType.ContextMenuCommand];

/** On the author's name or picture, opens the author's menu. */
export function openMessageMenu(event: MouseEvent | KeyboardEvent, message: APIMessage): void {
  const isOnAuthor = event
    .composedPath()
    .some((at) => at instanceof HTMLElement && at.matches('.discord-author-avatar, .discord-author-username'));
  if (isOnAuthor) openMemberMenu(event, message.author);
  else openMenu(event, 'Message', listActions(message));
}

/** The reactions to choose from. */
export function openReactionMenu(event: MouseEvent, message: APIMessage): void {
  openMenu(event, 'Reactions', listReactions(message));
}

function listReactions(message: APIMessage): Action[] {
  const react = (label: string, emoji: string, more = {}): Action => ({
    label,
    group: 'React',
    look: 'emoji',
    run: () => toggleReaction(message, emoji, false),
    ...more,
  });
  const own = currentGuild()?.emojis ?? [];
  return [
    ...EMOJI.map((emoji) => react(emoji, emoji)),
    ...own.map(({ id, name }) => react(`:${name}:`, `${name}:${id}`, { picture: `/emojis/${id}.png` })),
  ];
}

function listActions(message: APIMessage): Action[] {
  const { author, channel_id, id, flags = 0, type } = message;
  const isEphemeral = (flags & MessageFlags.Ephemeral) !== 0;
  const isOwn = author.id === state.me?.id;
  const isWritten = !isEphemeral && WRITTEN_TYPES.includes(type);
  const canEdit = isOwn && !message.poll && isWritten && (flags & (MessageFlags.IsVoiceMessage | MessageFlags.HasSnapshot)) === 0;
  const actions: (Action | false | undefined)[] = [
    ...listTargetActions(ApplicationCommandType.Message, id),
    ...(isEphemeral ? [] : listReactions(message)),
    isWritten && { label: 'Reply', group: 'Message', run: () => draftAbout({ how: 'reply', message, mentions: !isOwn }) },
    canEdit && { label: 'Edit message', group: 'Message', run: () => draftAbout({ how: 'edit', message }) },
    isWritten ? threadAction(message) : undefined,
    isWritten && { label: 'Forward…', group: 'Message', run: () => openNextMenu('Forward', listForwards(message)) },
    textOf(message) !== '' && {
      label: 'Copy text',
      group: 'Message',
      run: () => void navigator.clipboard.writeText(textOf(message)).catch(showError),
    },
    { label: 'Copy message ID', group: 'Message', run: () => void navigator.clipboard.writeText(id).catch(showError) },
    isEphemeral && { label: 'Dismiss message', group: 'Message', run: () => dismissMessage(message) },
    (isOwn || (!isEphemeral && mayInGuild(P.ManageMessages))) && {
      label: 'Delete message',
      group: 'Message',
      dangerous: true,
      run: () => void call('delete_message', { channel_id, message_id: id }).catch(showError),
    },
  ];
  return actions.filter((action) => action !== false && action !== undefined);
}

function listForwards({ channel_id, id }: APIMessage): Action[] {
  const channels = [...state.guilds.flatMap((guild) => guild.channels.filter(isReadable)), ...state.dms];
  return channels.map((channel) => ({
    label: channelTitle(channel),
    group: isDm(channel) ? 'Forward to a person' : 'Forward to a channel',
    run: () =>
      void call('forward_message', { channel_id, message_id: id, to_channel_id: channel.id }).then(
        () => channel.id !== state.channelId && showNotice(`Forwarded to ${channelTitle(channel)}.`),
        showError,
      ),
  }));
}
