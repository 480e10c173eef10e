// The microphone in the voice panel: on and off, its level, and push to talk with a button or a key.
import { html, nothing, type TemplateResult } from 'lit';
import { closeIcon, microphoneIcon } from '../icons.ts';
import { holdToTalk, mayBeHeard, microphone, setPushToTalk, turnMicrophoneOff, turnMicrophoneOn } from './microphone.ts';

/** One that types nothing, and that browsers leave to pages. */
const TALK_KEY = 'F2';

export function microphoneView(): TemplateResult {
  const { status, problem, isPushToTalk, isHeld } = microphone;
  if (status !== 'on')
    return html`<div class="microphone">
      <button type="button" class="text-button use-microphone" ?disabled=${status === 'starting'} @click=${() => void turnMicrophoneOn()}>${microphoneIcon()} ${status === 'starting' ? 'Waiting for the microphone…' : 'Use my microphone'}</button>
      ${problem ? html`<p class="problem" data-announce>${problem}</p>` : nothing}
    </div>`;
  return html`<div class="microphone" role="group" aria-label="Microphone">
    <div class="microphone-level">${microphoneIcon()}<span class="meter ${mayBeHeard() ? '' : 'off'}" role="img" aria-label=${mayBeHeard() ? 'Level of the microphone' : 'Level of the microphone, which nobody hears'}><span class="meter-bar spoken"></span></span>
      <button type="button" class="quiet-button" aria-label="Turn the microphone off" title="Turn the microphone off" @click=${turnMicrophoneOff}>${closeIcon()}</button></div>
    <button type="button" class="switch-button" role="switch" aria-checked=${isPushToTalk} @click=${() => setPushToTalk(!isPushToTalk)}><span>Push to talk</span><span class="switch" aria-hidden="true"></span></button>
    ${
      isPushToTalk
        ? html`<button type="button" class="talk-button ${isHeld ? 'held' : ''}" aria-pressed=${isHeld} aria-keyshortcuts=${TALK_KEY}
            @pointerdown=${press} @pointerup=${release} @pointercancel=${release} @contextmenu=${(event: Event) => event.preventDefault()}
            @keydown=${pressKey} @keyup=${release} @blur=${release}>${isHeld ? 'Everybody hears you' : html`Hold to talk <kbd>${TALK_KEY}</kbd>`}</button>`
        : nothing
    }
  </div>`;
}

function press(event: PointerEvent): void {
  // Otherwise the release elsewhere would go unnoticed.
  (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  holdToTalk(true);
}

function pressKey(event: KeyboardEvent): void {
  if (event.key !== ' ' && event.key !== 'Enter') return;
  event.preventDefault();
  holdToTalk(true);
}

function release(): void {
  holdToTalk(false);
}

/** The key works wherever the focus is. */
export function followTalkKey(): void {
  const isTalking = () => microphone.status === 'on' && microphone.isPushToTalk;
  addEventListener('keydown', (event) => {
    if (event.key !== TALK_KEY || !isTalking()) return;
    event.preventDefault();
    holdToTalk(true);
  });
  addEventListener('keyup', (event) => event.key === TALK_KEY && release());
  // The key may be released while another window has the focus.
  addEventListener('blur', release);
}
