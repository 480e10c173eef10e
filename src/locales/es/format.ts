// Numbers, plurals and lists in Spanish.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('es');
