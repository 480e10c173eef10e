// First steps for a newcomer: join a voice channel, then try a command of whatever application is connected.
import { MessageFlags } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { openCommand } from './composer/composer.ts';
import { listSlashCommands } from './composer/slash-commands.ts';
import { closeIcon } from './icons.ts';
import { voiceChannels } from './sidebar.ts';
import { findChannel, isDm, state, update } from './state.ts';
import { joinVoice } from './voice/playback.ts';

const STORAGE_KEY = 'local-discord-hint-seen';
let dismissed = localStorage.getItem(STORAGE_KEY) === 'yes';

export function hintView(): TemplateResult | typeof nothing {
  const command = suggestedCommand();
  const channel = voiceChannels()[0];
  if (dismissed || state.connection !== 'open' || isDm(findChannel(state.channelId)) || !command || hasUsedCommand()) return nothing;
  const inVoice = state.voiceChannelId !== undefined;
  return html`<aside class="hint" aria-label="First steps">
    <p><b>New here?</b> ${
      channel && !inVoice
        ? html`Join the voice channel <button type="button" class="link-button" @click=${() => void joinVoice(channel.id)}>${channel.name}</button>, then type `
        : 'Type '
    }<button type="button" class="link-button" @click=${() => openCommand(command)}>/${command}</button> below.</p>
    <button type="button" class="quiet-button" aria-label="Dismiss the hint" @click=${dismiss}>${closeIcon()}</button>
  </aside>`;
}

/** The first command that only needs text, since it is the easiest to try. */
function suggestedCommand(): string | undefined {
  const commands = listSlashCommands(state.commands);
  const wantsText = commands.find(({ options }) => options[0]?.required && options[0].type === 3 && !options[1]?.required);
  return (wantsText ?? commands[0])?.title;
}

/** Whether a command of this member has had a public response. A refusal is ephemeral, so the hint stays. */
function hasUsedCommand(): boolean {
  const notYet = MessageFlags.Ephemeral | MessageFlags.Loading;
  return [...state.messages.values()]
    .flat()
    .some(({ flags = 0, interaction_metadata }) => interaction_metadata?.user.id === state.me?.id && (flags & notYet) === 0);
}

function dismiss(): void {
  localStorage.setItem(STORAGE_KEY, 'yes');
  update(() => {
    dismissed = true;
  });
}
