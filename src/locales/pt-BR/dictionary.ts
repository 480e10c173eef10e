// What /dictionary says, in Brazilian Portuguese.
import { bold, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const entries = (count: number) => format.plural(count, { one: '# entrada', other: '# entradas' });

export const dictionary: Words['dictionary'] = {
  titles: { server: 'Dicionário do servidor', me: 'Seu dicionário' },
  count: (count, most) => `${format.number(count)} de ${entries(most)}`,
  found: (count, typed) => `${entries(count)} com ${code(typed)}`,
  empty: {
    server: `Ainda não há nada aqui. Com ${inlineCode('/dictionary add')} você me ensina a dizer uma palavra.`,
    me: `Ainda não há nada aqui. Com ${inlineCode('/dictionary add')} você me ensina como dizer uma palavra para você. Suas entradas vêm antes das do servidor.`,
  },
  noneFound: (typed) => `Nenhuma entrada tem ${code(typed)}. Tente uma parte mais curta da palavra.`,
  entry: (word, spoken, language) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken} (${format.language(language)})`,
  added: { server: 'Adicionada ao dicionário do servidor.', me: 'Adicionada ao seu dicionário.' },
  changed: { server: 'Alterada no dicionário do servidor.', me: 'Alterada no seu dicionário.' },
  before: (spoken) => `Antes: ${spoken}`,
  removed: { server: 'Removida do dicionário do servidor.', me: 'Removida do seu dicionário.' },
  hear: 'Ouvir',
  undo: 'Desfazer',
  undone: { server: 'Desfeito. O dicionário do servidor está como antes.', me: 'Desfeito. Seu dicionário está como antes.' },
  undoExpired: `É tarde demais para desfazer. ${inlineCode('/dictionary list')} mostra o que há agora.`,
  notFound: {
    server: (word) => `${code(word)} não está no dicionário do servidor. ${inlineCode('/dictionary list')} mostra o que está.`,
    me: (word) => `${code(word)} não está no seu dicionário. ${inlineCode('/dictionary list')} mostra o que está.`,
  },
  nothingApplies: (text) => `Nenhuma entrada muda como eu digo ${code(text)}. Adicione uma com ${inlineCode('/dictionary add')}.`,
  full: {
    server: (most) => `O dicionário do servidor está cheio: cabem ${entries(most)}. Remova uma primeiro.`,
    me: (most) => `Seu dicionário está cheio: cabem ${entries(most)}. Remova uma primeiro.`,
  },
  notAllowed: (roles) =>
    roles.length === 0 || roles.length > 5
      ? `Você precisa de ${bold('Gerenciar servidor')} para mudar o dicionário do servidor. Para mudar o seu, escolha-o em ${inlineCode('for')}.`
      : `Você precisa de ${bold('Gerenciar servidor')} ou ${format.or(roles.map(roleMention))} para mudar o dicionário do servidor. Para mudar o seu, escolha-o em ${inlineCode('for')}.`,
  notInGuild: `Aqui só existe o seu próprio dicionário. Deixe ${inlineCode('for')} vazio.`,
  problems: {
    noWord: 'A palavra não tem letra nem número. Escreva como as pessoas digitam.',
    longWord: 'A palavra é longa demais. Use até 100 caracteres.',
    noSpoken: 'Não há nada para dizer no lugar da palavra. Escreva pelo menos uma letra ou um número.',
    longSpoken: 'Há coisa demais para dizer no lugar da palavra. Use até 200 caracteres.',
    language: `Não conheço este idioma. Use um código como ${inlineCode('en')}, ou deixe vazio para todos os idiomas.`,
    duplicate: 'A palavra já está em uma linha anterior. É essa que vale.',
    quotes: 'Aqui ou mais acima há aspas que não fecham.',
    full: 'O dicionário está cheio.',
  },
  showServer: 'Dicionário do servidor',
  showMine: 'Seu dicionário',
  removeMenu: 'Remover uma palavra…',
  exported: {
    server: 'Aqui está o dicionário do servidor. Edite em qualquer planilha e importe de novo.',
    me: 'Aqui está o seu dicionário. Edite em qualquer planilha e importe de novo.',
  },
  importTitle: { server: 'Importar no dicionário do servidor', me: 'Importar no seu dicionário' },
  importLabel: 'Arquivo CSV',
  importHint: 'Colunas: palavra, o que dizer, idioma (pode ficar vazio). Até 1 MB.',
  importModeLabel: 'Entradas que já existem',
  importModes: { merge: 'Manter; para a mesma palavra, vale o arquivo', replace: 'Remover todas antes' },
  imported: (added, changed) =>
    changed === 0
      ? `Importado. Entradas novas: ${format.number(added)}.`
      : `Importado. Entradas novas: ${format.number(added)}; alteradas: ${format.number(changed)}.`,
  importedInstead: (count, gone) => `Importado. Agora ${entries(count)}, antes ${format.number(gone)}.`,
  importedNothing: (file) => `Não há nada em ${code(file)} que eu possa usar. Não mudei nada.`,
  skipped: (count) => format.plural(count, { one: '# linha não importada:', other: '# linhas não importadas:' }),
  line: (line, reason) => `Linha ${format.number(line)}: ${reason}`,
  lines: (from, to, reason) => `Linhas ${format.number(from)} a ${format.number(to)}: ${reason}`,
  moreSkipped: (count) => `… e ${format.plural(count, { one: '# outra', other: '# outras' })}. O arquivo anexo tem todas.`,
  unread: {
    full: (line) => `Parei na linha ${format.number(line)}, porque não cabe mais nada no dicionário.`,
    tooManyBad: (line) =>
      `Parei na linha ${format.number(line)}, porque há linhas demais antes dela que não posso aceitar. Corrija-as e importe o arquivo de novo.`,
  },
  notText: (file) => `${code(file)} não é um arquivo de texto em UTF-8. No Excel, salve como “CSV UTF-8”. Não mudei nada.`,
  fileTooLarge: (file, limit) =>
    `${code(file)} passa de ${format.megabytes(limit)}, mais do que cabe em um dicionário. Divida o arquivo. Não mudei nada.`,
  privacy: (count) =>
    `${bold('Dicionários.')} ${count === 0 ? '' : `No seu, ${entries(count)}, até você remover. `}As entradas de um servidor ficam tanto quanto as configurações dele.`,
};
