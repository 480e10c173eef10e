// Numbers, plurals and lists in English.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('en');
