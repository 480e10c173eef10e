// What /dictionary says, in Simplified Chinese.
import { bold, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const entries = (count: number) => `${format.number(count)} 个词条`;

export const dictionary: Words['dictionary'] = {
  titles: { server: '服务器词典', me: '你的词典' },
  count: (count, most) => `${format.number(count)} / ${entries(most)}`,
  found: (count, typed) => `${entries(count)}包含 ${code(typed)}`,
  empty: {
    server: `这里还没有内容。用 ${inlineCode('/dictionary add')} 教我怎么读一个词。`,
    me: `这里还没有内容。用 ${inlineCode('/dictionary add')} 教我怎么为你读一个词。你的词条优先于服务器的词条。`,
  },
  noneFound: (typed) => `没有词条包含 ${code(typed)}。请试试这个词中更短的一部分。`,
  entry: (word, spoken, language) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken}（${format.language(language)}）`,
  added: { server: '已添加到服务器词典。', me: '已添加到你的词典。' },
  changed: { server: '已在服务器词典中更改。', me: '已在你的词典中更改。' },
  before: (spoken) => `之前：${spoken}`,
  removed: { server: '已从服务器词典中移除。', me: '已从你的词典中移除。' },
  hear: '试听',
  undo: '撤销',
  undone: { server: '已撤销。服务器词典恢复原样。', me: '已撤销。你的词典恢复原样。' },
  undoExpired: `现在撤销已经太晚了。${inlineCode('/dictionary list')} 会显示现在的内容。`,
  notFound: {
    server: (word) => `服务器词典里没有 ${code(word)}。${inlineCode('/dictionary list')} 会显示其中的内容。`,
    me: (word) => `你的词典里没有 ${code(word)}。${inlineCode('/dictionary list')} 会显示其中的内容。`,
  },
  nothingApplies: (text) => `没有词条会改变 ${code(text)} 的读法。用 ${inlineCode('/dictionary add')} 添加一个。`,
  full: {
    server: (most) => `服务器词典已满：最多 ${entries(most)}。请先移除一个。`,
    me: (most) => `你的词典已满：最多 ${entries(most)}。请先移除一个。`,
  },
  notAllowed: (roles) =>
    roles.length === 0 || roles.length > 5
      ? `更改服务器词典需要${bold('管理服务器')}权限。要更改你自己的词典，请在 ${inlineCode('for')} 中选择它。`
      : `更改服务器词典需要${bold('管理服务器')}权限或 ${format.or(roles.map(roleMention))}。要更改你自己的词典，请在 ${inlineCode('for')} 中选择它。`,
  notInGuild: `这里只有你自己的词典。请将 ${inlineCode('for')} 留空。`,
  problems: {
    noWord: '这个词里没有文字或数字。请按大家输入的样子写。',
    longWord: '这个词太长。最多 100 个字符。',
    noSpoken: '没有要读的内容。请至少写一个文字或数字。',
    longSpoken: '要读的内容太长。最多 200 个字符。',
    language: `我不认识这种语言。请使用 ${inlineCode('en')} 这样的代码，或留空表示所有语言。`,
    duplicate: '这个词在前面的行里已经有了，以前面的为准。',
    quotes: '这里或前面有引号没有关闭。',
    full: '词典已满。',
  },
  showServer: '服务器词典',
  showMine: '你的词典',
  removeMenu: '移除一个词…',
  exported: {
    server: '这是服务器词典。可以用任何电子表格编辑，然后再导入。',
    me: '这是你的词典。可以用任何电子表格编辑，然后再导入。',
  },
  importTitle: { server: '导入到服务器词典', me: '导入到你的词典' },
  importLabel: 'CSV 文件',
  importHint: '列：词、读法、语言（可留空）。最大 1 MB。',
  importModeLabel: '已有的词条',
  importModes: { merge: '保留；相同的词以文件为准', replace: '先全部移除' },
  imported: (added, changed) =>
    changed === 0 ? `已导入。新增 ${entries(added)}。` : `已导入。新增 ${entries(added)}，更改 ${entries(changed)}。`,
  importedInstead: (count, gone) => `已导入。之前 ${entries(gone)}，现在 ${entries(count)}。`,
  importedNothing: (file) => `${code(file)} 里没有我能用的内容。没有任何更改。`,
  skipped: (count) => `有 ${format.number(count)} 行未导入：`,
  line: (line, reason) => `第 ${format.number(line)} 行：${reason}`,
  lines: (from, to, reason) => `第 ${format.number(from)} 至 ${format.number(to)} 行：${reason}`,
  moreSkipped: (count) => `……还有 ${format.number(count)} 处。附件里有全部。`,
  unread: {
    full: (line) => `词典已满，我读到第 ${format.number(line)} 行就停下了。`,
    tooManyBad: (line) => `前面无法导入的行太多，我读到第 ${format.number(line)} 行就停下了。请改正后重新导入该文件。`,
  },
  notText: (file) => `${code(file)} 不是 UTF-8 文本文件。在 Excel 中请另存为“CSV UTF-8”。没有任何更改。`,
  fileTooLarge: (file, limit) => `${code(file)} 超过 ${format.megabytes(limit)}，词典装不下。请拆分文件。没有任何更改。`,
  privacy: (count) =>
    `${bold('词典。')}${count === 0 ? '' : `你的 ${entries(count)}，直到你移除为止。`}服务器词典与服务器设置保存得一样久。`,
};
