// Numbers, plurals and lists in French.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('fr');
