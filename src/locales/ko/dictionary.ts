// What /dictionary says, in Korean.
import { bold, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const entries = (count: number) => `${format.number(count)}개`;

export const dictionary: Words['dictionary'] = {
  titles: { server: '서버 사전', me: '내 사전' },
  count: (count, most) => `${entries(count)} / 최대 ${entries(most)}`,
  found: (count, typed) => `${code(typed)} 검색 결과 ${entries(count)}`,
  empty: {
    server: `아직 아무것도 없어요. ${inlineCode('/dictionary add')}로 낱말을 읽는 법을 알려 주세요.`,
    me: `아직 아무것도 없어요. ${inlineCode('/dictionary add')}로 나만의 읽는 법을 알려 주세요. 내 사전은 서버 사전보다 먼저예요.`,
  },
  noneFound: (typed) => `${code(typed)}에 맞는 항목이 없어요. 낱말의 더 짧은 부분으로 찾아보세요.`,
  entry: (word, spoken, language) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken} (${format.language(language)})`,
  added: { server: '서버 사전에 추가했어요.', me: '내 사전에 추가했어요.' },
  changed: { server: '서버 사전에서 바꿨어요.', me: '내 사전에서 바꿨어요.' },
  before: (spoken) => `전에는: ${spoken}`,
  removed: { server: '서버 사전에서 지웠어요.', me: '내 사전에서 지웠어요.' },
  hear: '들어 보기',
  undo: '되돌리기',
  undone: { server: '되돌렸어요. 서버 사전이 전과 같아요.', me: '되돌렸어요. 내 사전이 전과 같아요.' },
  undoExpired: `이제는 되돌릴 수 없어요. ${inlineCode('/dictionary list')}에서 지금 내용을 볼 수 있어요.`,
  notFound: {
    server: (word) => `서버 사전에 ${code(word)} 낱말이 없어요. ${inlineCode('/dictionary list')}에서 내용을 볼 수 있어요.`,
    me: (word) => `내 사전에 ${code(word)} 낱말이 없어요. ${inlineCode('/dictionary list')}에서 내용을 볼 수 있어요.`,
  },
  nothingApplies: (text) => `${code(text)} 읽는 법을 바꾸는 항목이 없어요. ${inlineCode('/dictionary add')}로 추가하세요.`,
  full: {
    server: (most) => `서버 사전이 꽉 찼어요. 최대 ${entries(most)}예요. 먼저 하나를 지우세요.`,
    me: (most) => `내 사전이 꽉 찼어요. 최대 ${entries(most)}예요. 먼저 하나를 지우세요.`,
  },
  notAllowed: (roles) =>
    roles.length === 0 || roles.length > 5
      ? `서버 사전을 바꾸려면 ${bold('서버 관리하기')} 권한이 필요해요. 내 사전을 바꾸려면 ${inlineCode('for')}에서 고르세요.`
      : `서버 사전을 바꾸려면 ${bold('서버 관리하기')} 권한이나 ${format.or(roles.map(roleMention))} 역할이 필요해요. 내 사전을 바꾸려면 ${inlineCode('for')}에서 고르세요.`,
  notInGuild: `여기에는 내 사전만 있어요. ${inlineCode('for')}는 비워 두세요.`,
  problems: {
    noWord: '낱말에 글자도 숫자도 없어요. 채팅에 쓰는 그대로 적으세요.',
    longWord: '낱말이 너무 길어요. 100자까지 쓸 수 있어요.',
    noSpoken: '낱말 대신 읽을 말이 없어요. 글자나 숫자를 하나 이상 적으세요.',
    longSpoken: '낱말 대신 읽을 말이 너무 길어요. 200자까지 쓸 수 있어요.',
    language: `모르는 언어예요. ${inlineCode('en')} 같은 코드를 쓰거나, 모든 언어라면 비워 두세요.`,
    duplicate: '같은 낱말이 앞줄에 있어요. 앞줄을 썼어요.',
    quotes: '여기나 위쪽에 닫히지 않은 따옴표가 있어요.',
    full: '사전이 꽉 찼어요.',
  },
  showServer: '서버 사전',
  showMine: '내 사전',
  removeMenu: '낱말 지우기…',
  exported: {
    server: '서버 사전이에요. 스프레드시트에서 고친 뒤 다시 가져올 수 있어요.',
    me: '내 사전이에요. 스프레드시트에서 고친 뒤 다시 가져올 수 있어요.',
  },
  importTitle: { server: '서버 사전으로 가져오기', me: '내 사전으로 가져오기' },
  importLabel: 'CSV 파일',
  importHint: '열: 낱말, 읽는 법, 언어(비워도 됨). 1 MB까지.',
  importModeLabel: '이미 있는 항목',
  importModes: { merge: '그대로 두기. 같은 낱말은 파일대로', replace: '먼저 모두 지우기' },
  imported: (added, changed) =>
    changed === 0 ? `가져왔어요. ${entries(added)} 추가.` : `가져왔어요. ${entries(added)} 추가, ${entries(changed)} 변경.`,
  importedInstead: (count, gone) => `가져왔어요. 전에는 ${entries(gone)}, 지금은 ${entries(count)}예요.`,
  importedNothing: (file) => `${code(file)}에 쓸 수 있는 내용이 없어요. 아무것도 바꾸지 않았어요.`,
  skipped: (count) => `가져오지 않은 줄 ${entries(count)}:`,
  line: (line, reason) => `${format.number(line)}번째 줄: ${reason}`,
  lines: (from, to, reason) => `${format.number(from)}~${format.number(to)}번째 줄: ${reason}`,
  moreSkipped: (count) => `… 외 ${format.number(count)}곳. 첨부 파일에 모두 있어요.`,
  unread: {
    full: (line) => `사전에 더 넣을 자리가 없어서 ${format.number(line)}번째 줄에서 읽기를 멈췄어요.`,
    tooManyBad: (line) =>
      `그 앞에 가져올 수 없는 줄이 너무 많아서 ${format.number(line)}번째 줄에서 읽기를 멈췄어요. 고친 다음 파일을 다시 가져오세요.`,
  },
  notText: (file) => `${code(file)}은 UTF-8 텍스트 파일이 아니에요. Excel에서는 ‘CSV UTF-8’로 저장하세요. 아무것도 바꾸지 않았어요.`,
  fileTooLarge: (file, limit) =>
    `${code(file)}은 ${format.megabytes(limit)}보다 커서 사전에 다 들어가지 않아요. 나눠서 가져오세요. 아무것도 바꾸지 않았어요.`,
  privacy: (count) =>
    `${bold('사전.')} ${count === 0 ? '' : `내 사전 항목 ${entries(count)}, 지울 때까지. `}서버 사전은 서버 설정과 같은 기간 동안 저장해요.`,
};
