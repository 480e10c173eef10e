// <spoiler-cover>: hides what it contains until it is pressed. The page's styles hide words altogether, so that none can be read out.
import { css, html, LitElement } from 'lit';

class SpoilerCover extends LitElement {
  static override properties = { shown: { type: Boolean, reflect: true } };
  declare shown: boolean;

  static override styles = css`
    :host { display: block; position: relative; }
    .hidden { filter: blur(44px); }
    .frame { overflow: hidden; border-radius: 8px; background: var(--spoiler); }
    button {
      position: absolute; inset: 0; z-index: 1; display: grid; place-items: center; padding: 0; border: 0;
      border-radius: 8px; background: none; font: inherit; cursor: pointer;
    }
    button span { padding: 6px 12px; border-radius: 16px; background: rgb(0 0 0 / 75%); color: #fff; font-size: 13px; font-weight: 700; }
    button:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }
  `;

  constructor() {
    super();
    this.shown = false;
  }

  private show(): void {
    this.shown = true;
  }

  protected override render() {
    if (this.shown) return html`<slot></slot>`;
    return html`<div class="frame"><div class="hidden" inert><slot></slot></div></div>
      <button type="button" aria-label="Spoiler, press to show" @click=${this.show}><span aria-hidden="true">SPOILER</span></button>`;
  }
}

customElements.define('spoiler-cover', SpoilerCover);
