// The whole page: header, banner, sidebar, messages, composer, and whatever opens on top.
import { html, nothing, type TemplateResult } from 'lit';
import { composerView } from './composer/composer.ts';
import { pageKey } from './connection.ts';
import { contextMenuView } from './controls/context-menu.ts';
import { ownDialogView } from './controls/dialog.ts';
import { firstStepsView } from './first-steps/view.ts';
import { closeIcon, menuIcon, personIcon, textChannelIcon } from './icons.ts';
import { messageListView } from './messages/message-list.ts';
import { modalView } from './modal.ts';
import { closeDrawer, sidebarView } from './sidebar.ts';
import { afterRender, channelTitle, dismissNotice, displayName, findChannel, isDm, state, update } from './state.ts';
import { voicePanelView } from './voice/panel.ts';

export function appView(): TemplateResult {
  return html`<div class="app ${state.drawerOpen ? 'drawer-open' : ''}" data-connection=${state.connection} @keydown=${handleKey}>
    ${sidebarView()}
    <div class="drawer-backdrop" @click=${closeDrawer}></div>
    <main class="content">
      ${headerView()} ${bannerView()} ${voicePanelView('bar')} ${messageListView()} ${firstStepsView()} ${composerView()} ${contextMenuView()}
    </main>
    ${modalView()} ${ownDialogView()} ${noticeView()}
  </div>`;
}

function headerView(): TemplateResult {
  const channel = findChannel(state.channelId);
  return html`<header class="channel-header">
    <button type="button" class="quiet-button drawer-button" aria-label="Channels" aria-controls="sidebar" aria-expanded=${state.drawerOpen} @click=${openDrawer}>${menuIcon()}</button>
    ${isDm(channel) ? personIcon() : textChannelIcon()}<h1>${channelTitle(channel).slice(1)}</h1>
    ${channel && 'topic' in channel && channel.topic ? html`<span class="topic muted">${channel.topic}</span>` : nothing}
  </header>`;
}

function bannerView(): TemplateResult | typeof nothing {
  if (state.connection === 'connecting') return html`<p class="banner" data-announce>Connecting to the local Discord…</p>`;
  if (state.connection === 'lost') return html`<p class="banner warning" data-announce>${describeLostConnection()}</p>`;
  const { application } = state;
  if (application && state.offline.has(application.id)) {
    return html`<p class="banner warning" data-announce>${displayName(application)} is offline: commands will not be answered until it is back.</p>`;
  }
  return nothing;
}

function describeLostConnection(): string {
  const user = new URLSearchParams(location.search).get('user');
  if (!state.me && !pageKey()) return 'The key is missing from this address. Open the full address that the terminal printed.';
  if (user && !state.me)
    return `The local Discord lets nobody in as “${user}”. Is there a member of that name, and is it still running in the terminal?`;
  return 'The local Discord cannot be reached. Is it still running in the terminal? The page reconnects by itself.';
}

function noticeView(): TemplateResult | typeof nothing {
  if (!state.notice) return nothing;
  const { sentence, isError } = state.notice;
  return html`<div class="notice ${isError ? 'error' : ''}" data-announce><span>${sentence}</span><button type="button" class="quiet-button" aria-label="Dismiss" @click=${dismissNotice}>${closeIcon()}</button></div>`;
}

function openDrawer(): void {
  update(() => {
    state.drawerOpen = true;
  });
  afterRender(() => document.querySelector<HTMLElement>('.sidebar .channel.current, .sidebar .channel')?.focus());
}

function handleKey(event: KeyboardEvent): void {
  if (event.key === 'Escape' && state.drawerOpen) {
    closeDrawer();
    afterRender(() => document.querySelector<HTMLElement>('.drawer-button')?.focus());
  }
}
