// The switch that makes other members chat in the open channel, so that one person can try what happens among several.
import { html, nothing, type TemplateResult } from 'lit';
import { call } from './connection.ts';
import { channelTitle, currentGuild, findChannel, isDm, showError, state } from './state.ts';

export function crowdView(): TemplateResult | typeof nothing {
  const on = state.crowdChannelId !== undefined;
  const others = (currentGuild()?.members ?? []).filter(({ user }) => !user.bot && user.id !== state.me?.id);
  if (!on && (others.length === 0 || isDm(findChannel(state.channelId)))) return nothing;
  const where = on && state.crowdChannelId !== state.channelId ? `in ${channelTitle(findChannel(state.crowdChannelId))}` : 'here';
  return html`<button type="button" class="switch-button crowd" role="switch" aria-checked=${on} title="Some of the other members write to each other for a few minutes" @click=${() => toggle(on)}>
    <span>Others chat ${where}</span><span class="switch" aria-hidden="true"></span></button>`;
}

function toggle(on: boolean): void {
  call('set_crowd', { channel_id: on ? null : state.channelId }).catch(showError);
}
