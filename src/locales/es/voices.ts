// What /voices says, in Spanish.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const { number, plural } = format;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

const hearWithSay = `Escucha la voz en sí con ${inlineCode('/say')}.`;

export const voices: Words['voices'] = {
  languageName: format.language,

  heading: 'Voces',
  found: (total, page, pages) => {
    const voices = plural(total, { one: '# voz', other: '# voces' });
    return pages > 1 ? `${voices} · página ${number(page)} de ${number(pages)}` : voices;
  },
  noneFound: 'Ninguna voz coincide. Prueba con menos filtros.',
  nothingOnPage: `Ninguna de las voces de esta página puede hablar. Pasa a la siguiente o míralas todas con ${inlineCode('/voices all:True')}.`,
  pageOutOfRange: (page, pages) =>
    pages === 1
      ? `No hay página ${number(page)}, solo una página.`
      : `No hay página ${number(page)}. La última es la página ${number(pages)}.`,
  ownVoicesForOperators: `Solo quien gestiona el bot puede ver las voces de la cuenta del bot. Quita ${inlineCode('mine')} para ver las públicas.`,
  ownVoicesStayPrivate: 'Estas voces son de quien gestiona el bot y siguen siendo privadas.',
  yes: 'sí',

  by: (author) => `de ${author}`,
  coverOf: (title) => `Imagen de ${title}`,
  likes: (count) => `♥ ${number(count)}`,
  uses: (count) => plural(count, { one: 'usada # vez', other: 'usada # veces' }),
  sings: 'Cambia la voz de un cantante. No puede decir textos.',
  notReady: (state) =>
    state === 'failed' ? 'Su entrenamiento falló, así que no puede hablar.' : 'Aún se está entrenando, así que todavía no puede hablar.',
  id: 'ID',
  sample: (place) => `Muestra ${number(place)}`,
  furtherSamples: (count) => plural(count, { one: '… y # muestra más', other: '… y # muestras más' }),

  hearOne: 'Escuchar…',
  useOne: 'Usar…',
  open: 'Detalles…',
  share: 'Compartir',
  back: '‹ Volver',
  hear: 'Escuchar',
  hearAnother: 'Escuchar una muestra…',

  choices: {
    mine: {
      off: 'Usar como mi voz',
      on: '✓ Mi voz',
      chosen: (title) => `${titled(title)} es ahora tu voz para todo lo que digas con ${inlineCode('/say')} en cualquier servidor.`,
      givenUp: (title) => `${titled(title)} ya no es tu voz. Tus textos tienen ahora la voz del canal o del servidor.`,
    },
    favourite: {
      off: 'Favorita',
      on: '★ Favorita',
      chosen: (title) =>
        `${titled(title)} es ahora una de tus favoritas y sale arriba en la lista cuando eliges voz en ${inlineCode('/say')}.`,
      givenUp: (title) => `${titled(title)} ya no es una de tus favoritas.`,
    },
    server: {
      off: 'Para este servidor',
      on: '✓ Voz de este servidor',
      chosen: (title) => `${titled(title)} es ahora la voz de este servidor para quienes no han elegido la suya.`,
      givenUp: (title) => `${titled(title)} ya no es la voz de este servidor. Quienes no han elegido ninguna tienen la voz predeterminada.`,
    },
  },

  gone: (title) => `${titled(title)} ya no está disponible. Elige otra voz en ${inlineCode('/voices')}.`,
  cannotSpeak: (title) => `${titled(title)} no puede decir textos. Elige otra voz.`,
  serverVoiceForAdmins:
    'Solo los admins del servidor (con **Gestionar servidor**) pueden elegir la voz del servidor. Tú puedes usarla para ti.',

  noSample: (title) => `Ya no hay ninguna muestra de ${titled(title)}. ${hearWithSay}`,
  sampleUnreadable: (title) => `No he podido cargar la muestra de ${titled(title)}. Inténtalo dentro de un momento.`,
  sampleTooLarge: (title) => `La muestra de ${titled(title)} es demasiado grande para reproducirla. ${hearWithSay}`,
  sampleNotAudio: (title) => `La muestra de ${titled(title)} no es un audio que pueda reproducir. ${hearWithSay}`,
  samplePlays: (title, channelId, before) =>
    before === 0
      ? `Reproduciendo una muestra de ${titled(title)} en ${channelMention(channelId)}.`
      : `Una muestra de ${titled(title)} sonará en ${channelMention(channelId)} después de ${plural(before, { one: 'lo que suena ahora', other: '# más' })}.`,
  sampleAttached: (title) => `Aquí tienes una muestra de ${titled(title)}. Entra en un canal de voz y la reproduzco ahí.`,
};
