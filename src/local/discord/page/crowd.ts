// The switches that make other members chat in the open channel and talk in the voice channel, so that one person can try what happens among several.
import { html, nothing, type TemplateResult } from 'lit';
import { call } from './connection.ts';
import type { TalkMode } from './protocol.ts';
import { channelTitle, connectedVoiceChannelId, currentGuild, findChannel, isDm, showError, state } from './state.ts';

export function crowdView(): TemplateResult | typeof nothing {
  const on = state.crowdChannelId !== undefined;
  if (!on && (!hasOthers() || isDm(findChannel(state.channelId)))) return nothing;
  const where = on && state.crowdChannelId !== state.channelId ? `in ${channelTitle(findChannel(state.crowdChannelId))}` : 'here';
  return html`<button type="button" class="switch-button crowd" role="switch" aria-checked=${on} title="Some of the other members write to each other for a few minutes" @click=${() => setCrowd(on ? null : state.channelId)}>
    <span>Others chat ${where}</span><span class="switch" aria-hidden="true"></span></button>`;
}

/** In the voice panel. */
export function talkersView(): TemplateResult | typeof nothing {
  const { talkMode } = state;
  if (!canOthersTalk()) return nothing;
  const isOn = talkMode !== undefined;
  return html`<div class="talkers"><button type="button" class="switch-button" role="switch" aria-checked=${isOn} title="Some of the other members join this voice channel and talk for a few minutes" @click=${() => setTalkers(isOn ? null : 'in turn')}>
    <span>Others talk here</span><span class="switch" aria-hidden="true"></span></button>
    ${isOn ? atOnceView(talkMode === 'at once') : nothing}</div>`;
}

function atOnceView(isOn: boolean): TemplateResult {
  return html`<button type="button" class="switch-button" role="switch" aria-checked=${isOn} title="Otherwise one after another" @click=${() => setTalkers(isOn ? 'in turn' : 'at once')}>
    <span>All at once</span><span class="switch" aria-hidden="true"></span></button>`;
}

export function canOthersTalk(): boolean {
  return state.introduction.othersTalk && hasOthers() && connectedVoiceChannelId() !== undefined;
}

function hasOthers(): boolean {
  return (currentGuild()?.members ?? []).some(({ user }) => !user.bot && user.id !== state.me?.id);
}

function setCrowd(channel_id: string | null): void {
  call('set_crowd', { channel_id }).catch(showError);
}

export function setTalkers(mode: TalkMode | null): void {
  call('set_talkers', { mode }).catch(showError);
}
