// Waits for a program's commands: they are registered while it is ready already.
import type { LocalDiscord } from '../../src/local/discord/index.ts';

/** Resolves when the application has registered commands. */
export async function commandsRegistered({ world }: LocalDiscord): Promise<void> {
  if (world.commands.length > 0) return;
  await new Promise<void>((resolve) => {
    const stopListening = world.onHappening(({ t }) => {
      if (t !== 'COMMANDS_UPDATE') return;
      stopListening();
      resolve();
    });
  });
}
