// First steps for a newcomer, above the composer: each is begun with one click, and gone once done.
import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { announce } from '../announce.ts';
import { draft, fillCommand } from '../composer/draft.ts';
import { startRecording } from '../composer/recorder.ts';
import { sendCommand } from '../composer/send.ts';
import { listSlashCommands } from '../composer/slash-commands.ts';
import { canOthersTalk, setTalkers } from '../crowd.ts';
import { closeIcon } from '../icons.ts';
import type { FirstStep } from '../protocol.ts';
import { openChannel, voiceChannels } from '../sidebar.ts';
import { connectedVoiceChannelId, findChannel, focusBox, isDm, state, update } from '../state.ts';
import { runTargetCommand } from '../target-commands.ts';
import { joinVoice } from '../voice/playback.ts';
import { dismissSteps, hasDoneAny, isFinished, remainingSteps } from './progress.ts';

export function firstStepsView(): TemplateResult | typeof nothing {
  if (state.connection !== 'open' || draft.command || isDm(findChannel(state.channelId))) return nothing;
  const steps = remainingSteps().filter(isPossible);
  const { farewell, stepsTitles } = state.introduction;
  if (steps.length === 0 && (!farewell || !isFinished())) return nothing;
  return html`<section class="first-steps" aria-label=${stepsTitles.name}>
    ${
      steps.length === 0
        ? html`<p class="farewell" data-announce>${farewell}</p>`
        : html`<span class="first-steps-title">${hasDoneAny() ? stepsTitles.next : stepsTitles.begin}</span>
          <ul>${steps.map((step) => html`<li><button type="button" class="step" @click=${() => begin(step)}>${labelOf(step)}</button></li>`)}</ul>`
    }
    <button type="button" class="quiet-button" aria-label=${stepsTitles.dismiss} title=${stepsTitles.dismiss} @click=${dismiss}>${closeIcon()}</button>
  </section>`;
}

function isPossible(step: FirstStep): boolean {
  switch (step.kind) {
    case 'join_voice':
      return state.voiceChannelId === undefined && voiceChannels().length > 0;
    case 'command':
      return listSlashCommands(state.commands).some(({ name }) => name === step.command);
    case 'talk':
      return canOthersTalk() && listSlashCommands(state.commands).some(({ name }) => name === step.command);
    case 'record':
      return true;
    case 'message_command':
      return lastRecording() !== undefined && state.commands.some(({ name }) => name === step.command);
  }
}

/** The member's last message with sound. */
function lastRecording(): APIMessage | undefined {
  return state.messages
    .get(state.channelId)
    ?.findLast(
      ({ author, attachments }) => author.id === state.me?.id && attachments.some((file) => file.content_type?.startsWith('audio/')),
    );
}

function labelOf(step: FirstStep): string {
  return step.kind === 'join_voice' ? step.label.replace('{channel}', voiceChannels()[0]?.name ?? '') : step.label;
}

function begin(step: FirstStep): void {
  switch (step.kind) {
    case 'join_voice': {
      const [channel] = voiceChannels();
      if (channel) void joinVoice(channel.id).then(() => announce(`Connected to ${channel.name}`));
      focusBox(); // The button that had the focus is gone.
      break;
    }
    case 'command': {
      const command = listSlashCommands(state.commands).find(({ name }) => name === step.command);
      if (!command) return;
      if (fillCommand(command, step.fill)) void sendCommand();
      break;
    }
    case 'talk': {
      const command = listSlashCommands(state.commands).find(({ name }) => name === step.command);
      const voiceId = connectedVoiceChannelId();
      if (!command || !voiceId) return;
      openChannel(voiceId);
      fillCommand(command);
      void sendCommand();
      setTalkers('in turn');
      break;
    }
    case 'record':
      void startRecording();
      break;
    case 'message_command': {
      const command = state.commands.find(({ name }) => name === step.command);
      const message = lastRecording();
      if (command && message) void runTargetCommand(command, message.id);
    }
  }
}

function dismiss(): void {
  update(dismissSteps);
  focusBox(); // The button that had the focus is gone.
}
