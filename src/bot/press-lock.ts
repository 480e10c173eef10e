// One press at a time: whoever clicks a button twice has asked once.
import type { ComponentInteraction } from './command.ts';

/**
 * Runs `act` for the first press of a message's button, and swallows those that come while it is under way. That is enough where the
 * first one takes the button away, and leaves it there where it fails, to be pressed again.
 */
export type PressLock = (interaction: ComponentInteraction, act: () => Promise<void>) => Promise<void>;

export function createPressLock(): PressLock {
  const underWay = new Set<string>();
  return async (interaction, act) => {
    const { id } = interaction.message;
    if (underWay.has(id)) {
      await interaction.deferUpdate();
      return;
    }
    underWay.add(id);
    try {
      await act();
    } finally {
      underWay.delete(id);
    }
  };
}
