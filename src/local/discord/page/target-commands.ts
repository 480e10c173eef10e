// The application's commands on messages and members, as actions of a context menu.
import type { APIApplicationCommand, ApplicationCommandType } from 'discord-api-types/v10';
import { shownName } from './composer/slash-commands.ts';
import { call } from './connection.ts';
import type { Action } from './controls/context-menu.ts';
import { trackInteraction } from './events.ts';
import { noteSent } from './first-steps/progress.ts';
import { state } from './state.ts';

/** `targetId`: of the message or user. */
export function listTargetActions(type: ApplicationCommandType.Message | ApplicationCommandType.User, targetId: string): Action[] {
  return state.commands
    .filter((command) => command.type === type)
    .map((command) => ({ label: shownName(command), group: 'Apps', run: () => void runTargetCommand(command, targetId) }));
}

/** In the open channel. */
export async function runTargetCommand(command: APIApplicationCommand, targetId: string): Promise<void> {
  const channel_id = state.channelId;
  const label = shownName(command);
  const interaction = trackInteraction({ channel_id, label });
  try {
    const { interaction_id } = await call('run_command', { channel_id, command_id: command.id, target_id: targetId });
    noteSent(interaction_id, command.name);
    interaction.sent(interaction_id);
  } catch (error) {
    interaction.failed((error as Error).message);
  }
}
