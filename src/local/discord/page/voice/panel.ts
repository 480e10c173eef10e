// The voice panel: channel, level, volume, mute, deafen and leave, and the microphone. In the sidebar, or as a bar above the messages on a phone.
import { html, nothing, type TemplateResult } from 'lit';
import { volumeView } from '../controls/volume-slider.ts';
import { talkersView } from '../crowd.ts';
import { headphonesIcon, headphonesOffIcon, leaveIcon, microphoneIcon, microphoneOffIcon } from '../icons.ts';
import { connectedVoiceChannelId, findChannel, findVoiceState, state } from '../state.ts';
import { microphoneView } from './microphone-view.ts';
import { leaveVoice, setVolume, sound, toggleDeafened, toggleMuted } from './playback.ts';
import { describeVoice } from './voice-member.ts';

export function voicePanelView(place: 'panel' | 'bar'): TemplateResult | typeof nothing {
  const channel = findChannel(state.voiceChannelId);
  if (!channel) return nothing;
  const isConnected = connectedVoiceChannelId() !== undefined;
  const { speech, hearing } = describeVoice(findVoiceState(state.me?.id ?? ''));
  const obstacles = [speech, hearing].flatMap((one) => (one?.byModerator ? [`You're ${one.words}`] : []));
  return html`<section class="voice-panel ${place}" aria-label="Voice">
    <div class="voice-where"><b class=${isConnected ? 'connected' : ''}>${isConnected ? 'Voice connected' : 'Connecting…'}</b><span class="muted">${channel.name}</span></div>
    <button type="button" class="quiet-button ${sound.muted ? 'on' : ''}" aria-pressed=${sound.muted} aria-label="Mute" title=${sound.muted ? 'Unmute' : 'Mute'} @click=${toggleMuted}>${sound.muted ? microphoneOffIcon() : microphoneIcon()}</button>
    <button type="button" class="quiet-button ${sound.deafened ? 'on' : ''}" aria-pressed=${sound.deafened} aria-label="Deafen" title=${sound.deafened ? 'Hear again' : 'Hear nothing'} @click=${toggleDeafened}>${sound.deafened ? headphonesOffIcon() : headphonesIcon()}</button>
    <button type="button" class="quiet-button danger" aria-label="Leave voice" title="Leave voice" @click=${() => void leaveVoice()}>${leaveIcon()}</button>
    <span class="meter" role="img" aria-label="Loudness"><span class="meter-bar heard"></span></span>
    ${volumeView('Volume', sound.volume, setVolume)}
    ${microphoneView()} ${talkersView()}
    ${obstacles.map((words) => html`<span class="by-moderator" data-announce>${words}</span>`)}
  </section>`;
}
