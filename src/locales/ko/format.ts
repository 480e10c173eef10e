// Numbers, plurals and lists in Korean.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('ko');
