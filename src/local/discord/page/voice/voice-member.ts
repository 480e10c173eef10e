// A member in a voice channel, with what keeps them from speaking or hearing.
import type { APIUser, APIVoiceState } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { accessibleName } from '../announce.ts';
import { avatarUrl } from '../avatar.ts';
import { headphonesOffIcon, microphoneOffIcon } from '../icons.ts';
import { openMemberMenu } from '../member-menu.ts';
import { displayName, findVoiceState, state } from '../state.ts';

export function voiceMemberView(user: APIUser): TemplateResult {
  const speaks = state.speaking.has(user.id);
  const name = displayName(user);
  const { speech, hearing } = describeVoice(findVoiceState(user.id));
  const open = (event: MouseEvent) => openMemberMenu(event, user);
  return html`<li class=${speaks ? 'speaking' : ''} data-user=${user.username} data-speaking=${speaks}>
    <button type="button" class="voice-member" aria-haspopup="menu" aria-label=${accessibleName(name, speaks && 'speaking', speech?.words, hearing?.words)} @click=${open} @contextmenu=${open}>
      <img src=${avatarUrl(name)} alt=""><span class="channel-name">${name}</span>${speech ? obstacleView(speech, microphoneOffIcon()) : nothing}${hearing ? obstacleView(hearing, headphonesOffIcon()) : nothing}</button></li>`;
}

interface Obstacle {
  words: string;
  byModerator: boolean;
}

function obstacleView({ words, byModerator }: Obstacle, icon: TemplateResult): TemplateResult {
  return html`<span class="obstacle ${byModerator ? 'by-moderator' : ''}" title=${words}>${icon}</span>`;
}

/** Why somebody can't speak or hear; a moderator's doing before their own. */
export function describeVoice(voice: APIVoiceState | undefined): { speech?: Obstacle; hearing?: Obstacle } {
  if (!voice) return {};
  const { mute, deaf, self_mute, self_deaf, suppress } = voice;
  return {
    ...(self_mute && { speech: { words: 'muted', byModerator: false } }),
    ...(suppress && { speech: { words: 'not allowed to speak here', byModerator: true } }),
    ...(mute && { speech: { words: 'muted by a moderator', byModerator: true } }),
    ...(self_deaf && { hearing: { words: 'deafened', byModerator: false } }),
    ...(deaf && { hearing: { words: 'deafened by a moderator', byModerator: true } }),
  };
}
