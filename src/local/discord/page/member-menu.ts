// A member's menu: commands of the application, their nickname, and what a moderator may do.
import { type APIUser, ApplicationCommandType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { html } from 'lit';
import { call } from './connection.ts';
import { type Action, openMenu, openNextMenu } from './controls/context-menu.ts';
import { openDialog } from './controls/dialog.ts';
import { volumeView } from './controls/volume-slider.ts';
import type { Methods } from './protocol.ts';
import { currentGuild, displayName, findMember, findVoiceState, isTimedOut, isVoice, mayInGuild, showError, state } from './state.ts';
import { listTargetActions } from './target-commands.ts';
import { setUserVolume, userVolume } from './voice/playback.ts';

const MAX_NICKNAME_LENGTH = 32;
/** In minutes, as Discord offers them. */
const TIMEOUTS: [string, number][] = [
  ['60 seconds', 1],
  ['5 minutes', 5],
  ['10 minutes', 10],
  ['1 hour', 60],
  ['1 day', 24 * 60],
  ['1 week', 7 * 24 * 60],
];

export function openMemberMenu(event: MouseEvent | KeyboardEvent, user: APIUser): void {
  const { id } = user;
  const actions: Action[] = [
    ...listTargetActions(ApplicationCommandType.User, id),
    ...listNickname(user),
    { label: 'Copy user ID', group: 'Member', run: () => void navigator.clipboard.writeText(id).catch(showError) },
    ...listModeration(user),
  ];
  const isHeard = id !== state.me?.id && findVoiceState(id) !== undefined;
  openMenu(
    event,
    displayName(user),
    actions,
    isHeard ? () => volumeView('User Volume', userVolume(id), (to) => setUserVolume(id, to)) : undefined,
  );
}

/** One's own, or as a moderator somebody else's. */
function listNickname(user: APIUser): Action[] {
  const mayChange = mayInGuild(user.id === state.me?.id ? P.ChangeNickname : P.ManageNicknames);
  if (!mayChange || !findMember(user.id)) return [];
  return [{ label: 'Change nickname…', group: 'Member', run: () => openNicknameDialog(user) }];
}

function openNicknameDialog(user: APIUser): void {
  const { guildId } = state;
  const name = user.global_name ?? user.username;
  openDialog({
    title: user.id === state.me?.id ? 'Change your nickname' : `Change the nickname of ${name}`,
    body: html`<div class="field"><label for="nickname">Nickname</label>
      <span class="muted" id="nickname-more">In this server only. Without one, the name is ${name}.</span>
      <input id="nickname" name="nick" type="text" maxlength=${MAX_NICKNAME_LENGTH} placeholder=${name} aria-describedby="nickname-more" .defaultValue=${findMember(user.id)?.nick ?? ''} autocomplete="off"></div>`,
    submitLabel: 'Save',
    send: (form) => call('edit_member', { guild_id: guildId, user_id: user.id, nick: String(form.get('nick')).trim() || null }),
  });
}

function listModeration(user: APIUser): Action[] {
  const voice = findVoiceState(user.id);
  const member = findMember(user.id);
  if (!member) return [];
  const act = (label: string, run: () => void, dangerous = false): Action => ({ label, group: 'Moderation', run, dangerous });
  const canTimeOut = mayInGuild(P.ModerateMembers) && user.id !== state.me?.id && user.id !== currentGuild()?.owner_id;
  const actions: (Action | false | undefined)[] = [
    voice && mayInGuild(P.MuteMembers) && act(voice.mute ? 'Unmute in voice' : 'Mute in voice', () => edit(user, { mute: !voice.mute })),
    voice && mayInGuild(P.DeafenMembers) && act(voice.deaf ? 'Undeafen' : 'Deafen', () => edit(user, { deaf: !voice.deaf })),
    voice && mayInGuild(P.MoveMembers) && act('Move to…', () => openNextMenu('Move', listMoves(user, voice.channel_id))),
    voice && mayInGuild(P.MoveMembers) && act('Disconnect', () => edit(user, { channel_id: null }), true),
    canTimeOut && isTimedOut(member) && act('End the timeout', () => edit(user, { communication_disabled_until: null })),
    canTimeOut && !isTimedOut(member) && act('Time out…', () => openNextMenu('Time out', listTimeouts(user)), true),
  ];
  return actions.filter((action) => action !== false && action !== undefined);
}

function listMoves(user: APIUser, current: string | null): Action[] {
  const channels = (currentGuild()?.channels ?? []).filter((channel) => isVoice(channel) && channel.id !== current);
  return channels.map(({ id, name }) => ({ label: name ?? id, group: 'Move to', run: () => edit(user, { channel_id: id }) }));
}

function listTimeouts(user: APIUser): Action[] {
  return TIMEOUTS.map(([label, minutes]) => ({
    label,
    group: `Time ${displayName(user)} out for`,
    run: () => edit(user, { communication_disabled_until: new Date(Date.now() + minutes * 60_000).toISOString() }),
  }));
}

function edit({ id }: APIUser, changes: Omit<Methods['edit_member']['params'], 'guild_id' | 'user_id'>): void {
  call('edit_member', { guild_id: state.guildId, user_id: id, ...changes }).catch(showError);
}
