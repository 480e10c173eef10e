// Values in the store that another version of Parley wrote.
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readAs } from '../../src/store/index.ts';

it('a stored value of an unexpected shape counts as missing, and is logged once, without the value', () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const schema = z.object({ holder: z.string(), text: z.string() });
  const read = (value: Parameters<typeof readAs>[1]) => readAs(schema, value, log, 'a lease');

  expect(read({ holder: 'me', text: 'said by a member', added: 'by a later version' })).toEqual({ holder: 'me', text: 'said by a member' });
  expect(read(null)).toBeNull();
  expect(lines).toEqual([]);

  for (const value of [{ holder: 1, text: 'said by a member' }, 'said by a member', ['said by a member']]) expect(read(value)).toBeNull();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, value: 'a lease', fields: ['holder'] });
  expect(lines.join()).not.toContain('said by a member');
});
