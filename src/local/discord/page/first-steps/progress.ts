// Which first steps there are, and which of them this member has done.
import { type APIMessage, MessageFlags } from 'discord-api-types/v10';
import { listSlashCommands } from '../composer/slash-commands.ts';
import type { FirstStep } from '../protocol.ts';
import { state } from '../state.ts';

/** The step that each command sent from this page completes once it is answered, by interaction. */
const awaited = new Map<string, FirstStep>();

/** Steps that are not done; up to the first command until that was answered. Empty if the member has dismissed them. */
export function remainingSteps(): FirstStep[] {
  const steps = allSteps();
  const first = steps.findIndex(({ kind }) => kind === 'command');
  const { done, isDismissed } = progress();
  if (isDismissed) return [];
  const suggested = done.length === 0 && first >= 0 ? steps.slice(0, first + 1) : steps;
  return suggested.filter((step) => !done.includes(keyOf(step)));
}

/** Whether all are done, but for those whose command the application doesn't have here, and the member has not dismissed them. */
export function isFinished(): boolean {
  if (progress().isDismissed || state.commands.length === 0) return false;
  const names = [...listSlashCommands(state.commands), ...state.commands].map(({ name }) => name);
  return hasDoneAny() && remainingSteps().every((step) => 'command' in step && !names.includes(step.command));
}

export function hasDoneAny(): boolean {
  return progress().done.length > 0;
}

/** Notes which step a command that was sent completes once it is answered. */
export function noteSent(interactionId: string, command: string): void {
  const step = remainingSteps().find((candidate) => 'command' in candidate && candidate.command === command);
  if (step) awaited.set(interactionId, step);
}

/** Completes a step that this message is the result of. A private answer to a command that was filled in is taken for a refusal. */
export function noteMessage(message: APIMessage): void {
  const flags = message.flags ?? 0;
  const recording = allSteps().find(({ kind }) => kind === 'record');
  if (recording && message.author.id === state.me?.id && flags & MessageFlags.IsVoiceMessage) complete(recording);
  const step = awaited.get(message.interaction_metadata?.id ?? '');
  if (!step || flags & MessageFlags.Loading) return;
  const isRefused = step.kind === 'command' && step.fill !== undefined && (flags & MessageFlags.Ephemeral) !== 0;
  if (!isRefused) complete(step);
}

export function dismissSteps(): void {
  save({ ...progress(), isDismissed: true });
}

/** Joining a voice channel is not suggested again to those who have had a command answered. */
function complete(step: FirstStep): void {
  const { done, isDismissed } = progress();
  const keys = step.kind === 'command' ? ['join_voice', keyOf(step)] : [keyOf(step)];
  save({ done: [...new Set([...done, ...keys])], isDismissed });
}

function allSteps(): FirstStep[] {
  const { firstSteps } = state.introduction;
  if (firstSteps.length > 0) return firstSteps;
  const command = suggestedCommand();
  return command
    ? [
        { kind: 'join_voice', label: 'Join {channel}' },
        { kind: 'command', label: `Try /${command}`, command },
      ]
    : [];
}

/** The first command that only needs text, since it is the easiest to try. */
function suggestedCommand(): string | undefined {
  const commands = listSlashCommands(state.commands);
  const wantsText = commands.find(({ options }) => options[0]?.required && options[0].type === 3 && !options[1]?.required);
  return (wantsText ?? commands[0])?.name;
}

/** The same in every language. */
function keyOf(step: FirstStep): string {
  return 'command' in step ? `${step.kind} ${step.command}` : step.kind;
}

interface Progress {
  done: string[];
  isDismissed: boolean;
}

/** For each application, as the same address may serve another one tomorrow. */
function storageKey(): string {
  return `local-discord-first-steps-${state.application?.id ?? ''}`;
}

function progress(): Progress {
  return JSON.parse(localStorage.getItem(storageKey()) ?? '{"done":[],"isDismissed":false}') as Progress;
}

function save(now: Progress): void {
  localStorage.setItem(storageKey(), JSON.stringify(now));
}
