// Numbers, plurals and lists in Polish.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('pl');
