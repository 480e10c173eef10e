// What /voices says, in Brazilian Portuguese.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const { number, plural } = format;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

const hearWithSay = `Ouça a própria voz com ${inlineCode('/say')}.`;

export const voices: Words['voices'] = {
  languageName: format.language,

  heading: 'Vozes',
  found: (total, page, pages) => {
    const voices = plural(total, { one: '# voz', other: '# vozes' });
    return pages > 1 ? `${voices} · página ${number(page)} de ${number(pages)}` : voices;
  },
  noneFound: 'Nenhuma voz combina. Tente com menos filtros.',
  nothingOnPage: `Nenhuma das vozes desta página consegue falar. Tente a próxima página ou veja todas com ${inlineCode('/voices all:True')}.`,
  pageOutOfRange: (page, pages) =>
    pages === 1
      ? `Não existe a página ${number(page)}, só há uma página.`
      : `Não existe a página ${number(page)}. A última é a ${number(pages)}.`,
  ownVoicesForOperators: `Só quem cuida do bot pode listar as vozes da conta dele. Deixe ${inlineCode('mine')} de fora para ver as públicas.`,
  ownVoicesStayPrivate: 'Estas vozes são de quem cuida do bot e continuam privadas.',
  yes: 'sim',

  by: (author) => `de ${author}`,
  coverOf: (title) => `Capa de ${title}`,
  likes: (count) => `♥ ${number(count)}`,
  uses: (count) => plural(count, { one: 'usada # vez', other: 'usada # vezes' }),
  sings: 'Muda a voz de quem canta. Não fala textos.',
  notReady: (state) =>
    state === 'failed'
      ? 'O treinamento falhou, então ela não consegue falar.'
      : 'Ainda em treinamento, então ela ainda não consegue falar.',
  id: 'ID',
  sample: (place) => `Amostra ${number(place)}`,
  furtherSamples: (count) => plural(count, { one: '… e mais # amostra', other: '… e mais # amostras' }),

  hearOne: 'Ouvir…',
  useOne: 'Usar…',
  open: 'Detalhes…',
  share: 'Compartilhar',
  back: '‹ Voltar',
  hear: 'Ouvir',
  hearAnother: 'Ouvir uma amostra…',

  choices: {
    mine: {
      off: 'Usar como minha voz',
      on: '✓ Minha voz',
      chosen: (title) => `${titled(title)} agora é a sua voz, para tudo o que você disser com ${inlineCode('/say')} em qualquer servidor.`,
      givenUp: (title) => `${titled(title)} não é mais a sua voz. Seus textos usam a voz do canal ou do servidor.`,
    },
    favourite: {
      off: 'Favoritar',
      on: '★ Favorita',
      chosen: (title) =>
        `${titled(title)} agora é uma das suas favoritas, no topo da lista quando você escolhe uma voz em ${inlineCode('/say')}.`,
      givenUp: (title) => `${titled(title)} não é mais uma das suas favoritas.`,
    },
    server: {
      off: 'Usar neste servidor',
      on: '✓ Voz deste servidor',
      chosen: (title) => `${titled(title)} agora é a voz deste servidor, para quem não escolheu a própria.`,
      givenUp: (title) => `${titled(title)} não é mais a voz deste servidor. Quem não escolheu uma fica com a voz padrão.`,
    },
  },

  gone: (title) => `${titled(title)} não está mais disponível. Escolha outra voz em ${inlineCode('/voices')}.`,
  cannotSpeak: (title) => `${titled(title)} não fala textos. Escolha outra voz.`,
  serverVoiceForAdmins:
    'Só os admins do servidor (com **Gerenciar servidor**) podem escolher a voz do servidor. Você ainda pode usar esta para você.',

  noSample: (title) => `Não há mais amostra de ${titled(title)}. ${hearWithSay}`,
  sampleUnreadable: (title) => `Não consegui carregar a amostra de ${titled(title)}. Tente de novo daqui a pouco.`,
  sampleTooLarge: (title) => `A amostra de ${titled(title)} é grande demais para tocar. ${hearWithSay}`,
  sampleNotAudio: (title) => `A amostra de ${titled(title)} não é um áudio que eu consiga tocar. ${hearWithSay}`,
  samplePlays: (title, channelId, before) =>
    before === 0
      ? `Tocando uma amostra de ${titled(title)} em ${channelMention(channelId)}.`
      : `Uma amostra de ${titled(title)} toca em ${channelMention(channelId)} depois de ${plural(before, { one: '# texto', other: '# textos' })}.`,
  sampleAttached: (title) => `Aqui está uma amostra de ${titled(title)}. Entre em um canal de voz e eu toco lá.`,
};
