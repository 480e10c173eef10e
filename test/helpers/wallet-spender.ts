// Spends from a wallet until it is killed, and prints each payment: node wallet-spender.ts FOLDER MICRO-CREDITS
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openWallet } from '../../src/local/voice-service/wallet.ts';

const [folder = '', price = '1'] = process.argv.slice(2);
const wallet = openWallet(join(folder, 'wallet.sqlite'), [{ key: 'a', credit: 1 }]);
// Held forever: a crash must return it.
wallet.hold('local', BigInt(price));
for (;;) {
  const hold = wallet.hold('local', BigInt(price));
  if (!hold) break;
  wallet.settle(hold);
  writeSync(1, 'paid\n');
}
