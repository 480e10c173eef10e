// Waits until the application has registered its commands, which it does after it is ready.
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { createWaiter } from './waiter.ts';

export async function commandsRegistered({ world }: LocalDiscord): Promise<void> {
  const waiter = createWaiter();
  const stopListening = world.onEvent(waiter.notify);
  const look = () => world.commands.length > 0 || undefined;
  await waiter.until(look, () => 'registered commands').finally(stopListening);
}
