// Handles one press of a button at a time, so that a double click asks only once.
import type { ComponentInteraction } from './command.ts';

/**
 * Runs `act` for the first press on a message, and ignores further ones until it has ended. That is enough, because `act` removes the
 * button if it succeeds; if it fails, the button stays and can be pressed again.
 */
export type PressLock = (interaction: ComponentInteraction, act: () => Promise<void>) => Promise<void>;

export function createPressLock(): PressLock {
  const lockedMessages = new Set<string>();
  return async (interaction, act) => {
    const { id } = interaction.message;
    if (lockedMessages.has(id)) {
      await interaction.deferUpdate();
      return;
    }
    lockedMessages.add(id);
    try {
      await act();
    } finally {
      lockedMessages.delete(id);
    }
  };
}
