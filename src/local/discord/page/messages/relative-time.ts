// <relative-time>: "3 seconds ago", kept up to date as in Discord.
import { LitElement } from 'lit';
import { formatDiscordTimestamp } from '../format.ts';

const TICK_MS = 1_000;

class RelativeTime extends LitElement {
  static override properties = { seconds: { type: Number } };
  /** Since 1970. */
  declare seconds: number;

  private ticking: ReturnType<typeof setInterval> | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.ticking = setInterval(() => this.requestUpdate(), TICK_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.ticking);
  }

  protected override render() {
    return formatDiscordTimestamp(this.seconds, 'R');
  }
}

customElements.define('relative-time', RelativeTime);
