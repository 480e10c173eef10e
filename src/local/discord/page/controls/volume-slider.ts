// A slider for a volume: of all that is heard, or of one member.
import { html, type TemplateResult } from 'lit';

/** From silence to twice as loud. `volume`: a factor. */
export function volumeView(label: string, volume: number, set: (volume: number) => void): TemplateResult {
  const shown = `${Math.round(volume * 100)}%`;
  return html`<label class="volume"><span>${label}</span>
    <input type="range" min="0" max="2" step="0.05" .value=${String(volume)} aria-valuetext=${shown} @input=${(event: Event) => set(Number((event.target as HTMLInputElement).value))}>
    <span class="muted" aria-hidden="true">${shown}</span></label>`;
}
