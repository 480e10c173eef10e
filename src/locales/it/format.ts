// Numbers, plurals and lists in Italian.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('it');
