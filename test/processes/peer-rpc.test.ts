// Calls from one process of the bot to another.
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createPeerRpc } from '../../src/processes/peer-rpc.ts';
import { openSqliteStore } from '../../src/store/index.ts';

it('a process hears an answer that is false', async () => {
  // No time passes, so a slow machine isn't too late.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = openSqliteStore(':memory:');
  onTestFinished(() => store.close());
  const log = createLog('silent');
  onTestFinished(createPeerRpc(store, { id: 'there', log }).serve(async () => false));
  expect(await createPeerRpc(store, { id: 'here', log }).call('there', 'a question')).toBe(false);
});
