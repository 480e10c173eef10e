// The dialog in which a member changes their nickname in a server, or a moderator somebody else's.
import type { APIUser } from 'discord-api-types/v10';
import { html } from 'lit';
import { call } from './connection.ts';
import { openDialog } from './controls/dialog.ts';
import { findMember, state } from './state.ts';

const MAX_LENGTH = 32;

export function openNicknameDialog(user: APIUser): void {
  const { guildId, me } = state;
  const name = user.global_name ?? user.username;
  openDialog({
    title: user.id === me?.id ? 'Change your nickname' : `Change the nickname of ${name}`,
    body: html`<div class="field"><label for="nickname">Nickname</label>
      <span class="muted" id="nickname-more">In this server only. Without one, the name is ${name}.</span>
      <input id="nickname" name="nick" type="text" maxlength=${MAX_LENGTH} placeholder=${name} aria-describedby="nickname-more" .defaultValue=${findMember(user.id)?.nick ?? ''} autocomplete="off"></div>`,
    submitLabel: 'Save',
    send: (form) => call('edit_member', { guild_id: guildId, user_id: user.id, nick: String(form.get('nick')).trim() || null }),
  });
}
