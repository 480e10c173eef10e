// Numbers, plurals and lists in German.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('de');
