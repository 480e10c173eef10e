// Starts the page: renders it, connects to the local Discord, and routes what arrives.
import { render } from 'lit';
import { announceStates } from './announce.ts';
import { appView } from './app.ts';
import { enableFileDrop, redirectTyping } from './composer/composer.ts';
import { moveDraft } from './composer/draft.ts';
import { call, connect } from './connection.ts';
import { loadCommands } from './direct-messages.ts';
import { applyDispatch } from './events.ts';
import { reloadMessages } from './messages/message-list.ts';
import './messages/relative-time.ts';
import { pageTitle, watchView } from './messages/unseen.ts';
import { setChannelOpener } from './navigation.ts';
import { followGrowth } from './scroll.ts';
import { openChannel, textChannels } from './sidebar.ts';
import './controls/select-menu.ts';
import './messages/sound-player.ts';
import { findChannel, setRenderer, showError, showNotice, state, update } from './state.ts';
import { startTheme } from './theme.ts';
import { followTalkKey } from './voice/microphone-view.ts';
import { endVoice, playPacket, rejoinVoice } from './voice/playback.ts';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no place to draw itself.');
root.textContent = '';

setChannelOpener(openChannel);
setRenderer(() => {
  render(appView(), root);
  document.title = pageTitle();
});
startTheme();
update();
queueMicrotask(followGrowth);
announceStates(root);
watchView();
enableFileDrop();
redirectTyping();
followTalkKey();

connect({
  onOpen: () => void start().catch(showError),
  onLost: () => update(forgetPresence),
  onHeardPacket: playPacket,
  onDispatch: (dispatch) => {
    applyDispatch(dispatch);
    if (dispatch.t === 'CHANNEL_DELETE' && !findChannel(state.channelId)) leaveDeletedChannel(`channel #${dispatch.d.name}`);
    if (dispatch.t === 'THREAD_DELETE' && dispatch.d.id === state.channelId) leaveDeletedChannel('thread');
    if (dispatch.t === 'VOICE_STATE_UPDATE' && dispatch.d.user_id === state.me?.id && dispatch.d.channel_id === null) endVoice();
  },
});

/** Until the connection is back, nobody knows who is online, in voice, speaking or typing, or what becomes of what was sent. */
function forgetPresence(): void {
  state.connection = 'lost';
  if (state.application) state.offline.add(state.application.id);
  for (const guild of state.guilds) guild.voice_states = [];
  state.speaking.clear();
  state.typing.clear();
  state.pendingInteractions = [];
}

/** Opens another channel, since the open one is gone. */
function leaveDeletedChannel(what: string): void {
  showNotice(`The ${what} was deleted.`);
  openChannel(textChannels()[0]?.id ?? '');
}

/** Loads the snapshot of the world, when the page opens and after each reconnection. */
async function start(): Promise<void> {
  const { user, locale, application, introduction, guilds, dms, stickerPacks, commands } = await call('hello', {
    language: navigator.language,
  });
  update(() => {
    state.connection = 'open';
    state.me = user;
    state.locale = locale;
    state.application = application;
    state.introduction = introduction;
    state.guilds = guilds;
    state.dms = dms;
    state.stickerPacks = stickerPacks;
    // It ended with the connection.
    state.crowdChannelId = undefined;
    state.talkMode = undefined;
    state.commands = commands;
    // It was about the connection.
    state.notice = undefined;
    // Those of the open channel stay until they have been loaded again.
    for (const id of state.messages.keys()) if (id !== state.channelId) state.messages.delete(id);
    state.speaking.clear();
    state.pendingInteractions = [];
    if (!guilds.some((guild) => guild.id === state.guildId)) state.guildId = guilds[0]?.id ?? '';
  });
  const known = textChannels();
  const channel = findChannel(state.channelId) ?? known[0];
  if (channel && channel.id !== state.channelId) moveDraft(state.channelId, channel.id);
  if (channel && state.messages.has(channel.id)) {
    loadCommands();
    void reloadMessages(channel.id);
  } else if (channel) openChannel(channel.id);
  rejoinVoice();
}
