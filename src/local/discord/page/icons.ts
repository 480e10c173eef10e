// Icons, drawn as SVG. They are decorative: the elements they stand in carry the accessible names.
import { svg, type TemplateResult } from 'lit';

const draw = (paths: TemplateResult): TemplateResult =>
  svg`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${paths}</svg>`;

export const textChannelIcon = () => draw(svg`<path d="M5 9h15M4 15h15M10 4 8 20M16 4l-2 16"/>`);
export const threadIcon = () =>
  draw(svg`<path d="M4 8h15M3 15h6M8.500 3 6 20M15.500 3l-.800 5"/><path d="M12 12h9v6h-5l-2.500 2.500V18H12z"/>`);
export const personIcon = () => draw(svg`<circle cx="12" cy="8" r="4"/><path d="M4 20a8 8 0 0 1 16 0"/>`);
export const voiceChannelIcon = () => draw(svg`<path d="M4 9v6h4l5 4V5L8 9z"/><path d="M16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12"/>`);
export const headphonesIcon = () =>
  draw(
    svg`<path d="M4 17v-4a8 8 0 0 1 16 0v4"/><rect x="4" y="14" width="4" height="6" rx="1.500"/><rect x="16" y="14" width="4" height="6" rx="1.500"/>`,
  );
export const headphonesOffIcon = () =>
  draw(
    svg`<path d="M4 17v-4a8 8 0 0 1 2-5.300M9.500 5.400A8 8 0 0 1 20 13v2"/><rect x="4" y="14" width="4" height="6" rx="1.500"/><path d="M16 16v2.500a1.500 1.500 0 0 0 2.500 1M4 4l16 16"/>`,
  );
export const leaveIcon = () =>
  draw(svg`<path d="M3 14.500c5-5 13-5 18 0l-2.500 2.500-4-1.500v-2.500c-1.600-.5-3.400-.5-5 0v2.500l-4 1.500z"/>`);
export const menuIcon = () => draw(svg`<path d="M4 7h16M4 12h16M4 17h16"/>`);
export const closeIcon = () => draw(svg`<path d="M6 6l12 12M18 6 6 18"/>`);
export const moreIcon = () => draw(svg`<path d="M5 12h.01M12 12h.01M19 12h.01"/>`);
export const plusIcon = () => draw(svg`<path d="M12 5v14M5 12h14"/>`);
export const smileIcon = () => draw(svg`<circle cx="12" cy="12" r="9"/><path d="M8 14q4 4 8 0M9 9.500h.01M15 9.500h.01"/>`);
export const chatIcon = () => draw(svg`<path d="M4 5h16v11H9l-5 4z"/>`);
export const sendIcon = () => draw(svg`<path d="M4 12 3 4l18 8-18 8zm0 0h8"/>`);
export const microphoneIcon = () => draw(svg`<rect x="9" y="3" width="6" height="11" rx="3"/><path d="M5 11a7 7 0 0 0 14 0M12 18v3"/>`);
export const microphoneOffIcon = () => draw(svg`<path d="M9 9V6a3 3 0 0 1 6 0v6M5 11a7 7 0 0 0 11 5.700M12 18v3M4 4l16 16"/>`);
export const playIcon = () => draw(svg`<path d="M8 5v14l11-7z" fill="currentColor"/>`);
export const pauseIcon = () => draw(svg`<path d="M8 5v14M16 5v14"/>`);
export const downloadIcon = () => draw(svg`<path d="M12 4v11m-4-4 4 4 4-4M5 20h14"/>`);
export const uploadIcon = () => draw(svg`<path d="M12 20V9m-4 4 4-4 4 4M5 4h14"/>`);
export const sunIcon = () =>
  draw(
    svg`<circle cx="12" cy="12" r="4"/><path d="M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M5 19l1.500-1.500M17.500 6.500 19 5"/>`,
  );
export const moonIcon = () => draw(svg`<path d="M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z"/>`);
export const chevronIcon = () => draw(svg`<path d="m6 9 6 6 6-6"/>`);
export const eyeIcon = () => draw(svg`<path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z"/><circle cx="12" cy="12" r="3"/>`);
export const warnIcon = () => draw(svg`<path d="M12 4 2.500 20h19zM12 10v4M12 17h.01"/>`);
export const pictureIcon = () =>
  draw(svg`<rect x="3" y="4" width="18" height="16" rx="2"/><circle cx="9" cy="10" r="1.500"/><path d="m4 18 5-5 4 4 3-3 4 4"/>`);
export const infoIcon = () => draw(svg`<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8h.01"/>`);
export const arrowDownIcon = () => draw(svg`<path d="M12 5v14m-6-6 6 6 6-6"/>`);
