// Numbers, plurals and lists in Japanese.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('ja');
