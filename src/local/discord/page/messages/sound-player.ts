// <sound-player>: plays an audio attachment, or a voice message with its waveform.
import { html, LitElement, nothing, svg } from 'lit';
import { formatDuration } from '../format.ts';
import { downloadIcon, pauseIcon, playIcon } from '../icons.ts';
import { decodeWaveform } from './waveform.ts';

const BAR_COUNT = 48;

class SoundPlayer extends LitElement {
  static override properties = { src: {}, name: {}, size: {}, seconds: { type: Number }, waveform: {} };
  declare src: string;
  declare name: string;
  /** Formatted, such as "1.5 MB". */
  declare size: string;
  /** From the message, if it is a voice message; other files have none until they are loaded. */
  declare seconds: number | undefined;
  /** Base64, as in a voice message's attachment. */
  declare waveform: string | undefined;

  private readonly sound = new Audio();

  constructor() {
    super();
    this.sound.preload = 'metadata';
    for (const event of ['play', 'pause', 'timeupdate', 'durationchange', 'ended', 'error']) {
      this.sound.addEventListener(event, () => this.requestUpdate());
    }
  }

  /** No shadow root, so that the page's styles apply. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sound.pause();
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('src')) this.sound.src = this.src;
  }

  private get length(): number {
    return Number.isFinite(this.sound.duration) ? this.sound.duration : (this.seconds ?? 0);
  }

  private toggle(): void {
    if (!this.sound.paused) this.sound.pause();
    else void this.sound.play().catch(() => this.requestUpdate());
  }

  private seek(event: Event): void {
    this.sound.currentTime = (Number((event.target as HTMLInputElement).value) / 1000) * this.length;
  }

  protected override render() {
    const { currentTime, paused, ended, error } = this.sound;
    const share = this.length > 0 ? Math.min(1, currentTime / this.length) : 0;
    const label = this.waveform ? 'voice message' : this.name;
    return html`<div class="player ${this.waveform ? 'voice-message' : ''}" role="group" aria-label=${this.waveform ? 'Voice message' : `Audio file ${this.name}`}>
      ${this.waveform ? nothing : html`<div class="player-file"><a href=${this.src} download=${this.name}>${this.name}</a><span class="muted">${this.size}</span></div>`}
      <div class="player-controls">
        <button type="button" class="round" aria-label="${paused ? 'Play' : 'Pause'} ${label}" @click=${this.toggle}>${paused ? playIcon() : pauseIcon()}</button>
        <div class="player-track">
          ${this.waveform ? this.barsView(this.waveform, share) : nothing}
          <input type="range" class=${this.waveform ? 'over-bars' : ''} min="0" max="1000" .value=${String(Math.round(share * 1000))} aria-label="Position in ${label}"
            aria-valuetext="${formatDuration(currentTime)} of ${formatDuration(this.length)}" @input=${this.seek}>
        </div>
        <span class="player-time">${formatDuration(ended || (paused && currentTime === 0) ? Math.max(1, Math.round(this.length)) : currentTime)}</span>
        <a class="quiet-button" href=${this.src} download=${this.name} aria-label="Download ${this.name}">${downloadIcon()}</a>
      </div>
      ${error ? html`<p class="problem">This browser cannot play the file. Download it to listen.</p>` : nothing}
    </div>`;
  }

  private barsView(waveform: string, share: number) {
    const bars = decodeWaveform(waveform, BAR_COUNT);
    return html`<svg class="bars" viewBox="0 0 ${BAR_COUNT * 4} 32" preserveAspectRatio="none" aria-hidden="true">
      ${bars.map((height, at) => {
        const tall = 3 + height * 27;
        return bar(at * 4, 16 - tall / 2, tall, at / BAR_COUNT < share);
      })}
    </svg>`;
  }
}

const bar = (x: number, y: number, height: number, played: boolean) =>
  svg`<rect x=${x} y=${y} width="2.4" height=${height} rx="1.2" class=${played ? 'played' : ''}></rect>`;

customElements.define('sound-player', SoundPlayer);
