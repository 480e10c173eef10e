// Numbers, plurals and lists in Brazilian Portuguese.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('pt-BR');
