// Numbers, plurals and lists in Simplified Chinese.
import { createFormat } from '../format.ts';

export { code } from '../format.ts';

export const format = createFormat('zh-CN');
