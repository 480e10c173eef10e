// Writes values until it is killed or may no longer write, and prints what it has stored: node store-writer.ts FILE
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../src/store/index.ts';

const store = openSqliteStore(process.argv[2] ?? '');
try {
  for (let number = 1; ; number++) {
    await store.set(`set:${number}`, 'x'.repeat(500));
    writeSync(1, `set ${number}\n`);
    await store.increment('count', 1);
    writeSync(1, `counted ${number}\n`);
  }
} catch (error) {
  writeSync(1, `${(error as Error).name}\n`);
  // Values stored before can still be read.
  writeSync(1, `${(await store.list('set:')).length} are there\n`);
}
