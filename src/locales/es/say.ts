// What /say and the buttons of its replies say, in Spanish.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { one: '# carácter', other: '# caracteres' });

export const say: Words['say'] = {
  noText: `No hay nada que decir. Escribe unas palabras en ${inlineCode('text')}.`,
  nothingSpeakable: 'En este texto no hay nada que se pueda decir. Escribe al menos una palabra o un número.',
  andSoOn: 'y así sucesivamente',
  unknownVoice: (voice, closest) =>
    closest.length === 0
      ? `No encuentro ninguna voz llamada ${code(voice)}. Elige una de la lista o explora ${inlineCode('/voices')}.`
      : `No encuentro ninguna voz llamada ${code(voice)}. Elige una de la lista o explora ${inlineCode('/voices')}. Las más parecidas son ${format.and(closest.map((title) => code(title)))}.`,
  voiceReplaced: (gone, used) =>
    `No puedo usar la voz ${code(gone)} aquí, así que he usado ${code(used)}. Elige otra en ${inlineCode('/voices')}.`,
  voiceIsYours: `Es tuya: ${inlineCode('/voice mine')} muestra qué le pasa.`,
  voiceNotHere: `No puedo usar esta voz aquí. Elige otra en ${inlineCode('/voices')}.`,
  speedUnsupported: `Este servicio de voz no puede cambiar la velocidad. Prueba con ${inlineCode('speed')} 1; lo recordaré.`,
  tooSlow: (count) => `Es demasiado largo para esta voz en este equipo. Acórtalo a unos ${characters(count)} o elige una voz más rápida.`,
  textGone: `Ya no tengo este texto. Escríbelo otra vez con ${inlineCode('/say')}.`,
  confirm: (count, share) =>
    `Esto usaría cerca del ${format.percent(share)} del crédito que queda (${characters(count)}). ¿Lo digo igualmente?`,
  tooExpensive: (count, share) =>
    `Esto usaría cerca del ${format.percent(share)} del crédito que queda (${characters(count)}). Dilo en partes más cortas.`,
  confirmMaking: (count) => `El sonido ya no está guardado, así que hacerlo otra vez usaría ${characters(count)} del crédito. ¿Lo hago?`,
  confirmButton: 'Decirlo',
  makeButton: 'Hacerlo',
  stopButton: 'Parar',
  skipButton: 'Saltar',
  cancelButton: 'Cancelar',
  moreMenu: '¿Y ahora?',
  replay: 'Repetir',
  saveAsFile: 'Guardar como archivo',
  sendAsVoiceMessage: 'Enviar como mensaje de voz',
  sayMore: 'Decir más',
  showText: 'Mostrar todo el texto',
  sayMoreTitle: (voice) => `Decir más: ${voice}`,
  sayMoreLabel: '¿Qué digo?',
  textHidden: 'Este servidor oculta lo que se dice.',
  recentVoice: 'reciente',
  favouriteVoice: 'favorita',
  fileTooLarge: (limit) => `El archivo superaría ${format.megabytes(limit)}, el límite de Discord aquí. Prueba con un texto más corto.`,
  voiceMessageInstead: 'Solo puedo hablar en servidores donde me han añadido, así que aquí tienes un mensaje de voz.',
  voiceMessageForbidden: 'Aquí no puedo enviar mensajes de voz (Enviar mensajes de voz), así que aquí tienes el sonido en un archivo.',
  voiceMessageRefused: 'Discord no lo ha aceptado como mensaje de voz, así que aquí tienes el sonido en un archivo.',
  voiceMessageTooLong: (minutes) =>
    `Un mensaje de voz puede durar ${format.plural(minutes, { one: '# minuto', other: '# minutos' })} como máximo, así que aquí tienes el sonido en un archivo.`,
  nobodyThere: (channelId) => `Ahora mismo no hay nadie en ${channelMention(channelId)}.`,
  speed: (factor) => `${format.number(factor, 2)}×`,
  inChannel: (channelId) => channelMention(channelId),
  speaking: 'Hablando',
  queued: (before) =>
    before === 1 ? 'El siguiente' : format.plural(before, { one: '# texto por delante', other: '# textos por delante' }),
  interrupted: (seconds) => `Cortado después de ${format.duration(seconds)}`,
  interruptedByRestart: 'Me reinicié antes de terminar',
  notSpoken: 'No dicho',
  spoken: (seconds) => `Dicho en ${format.duration(seconds)}`,
  shortened: 'acortado al límite de este servidor',
  characters,
  fromCache: 'guardado, así que gratis',
  cachedSoundGone: (budget) => `El sonido guardado se borró mientras este texto esperaba, así que ya no es gratis. ${budget}`,
  skipped: 'Saltado',
  stopped: 'Parado',
  cancelled: 'Cancelado',
  cancelledCharged: (count) => `Cancelado. El servicio de voz ya lo había hecho, así que ${characters(count)} cuentan igualmente`,
  chargedUnheard: (count) => `El servicio de voz ya lo había hecho, así que ${characters(count)} cuentan igualmente.`,
  defaultVoice: 'Voz predeterminada',
};

// What /queue, /skip, /stop and /leave say, in Spanish.

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'La cola está llena con # texto. Inténtalo dentro de poco.',
      other: 'La cola está llena con # textos. Inténtalo dentro de poco.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Ya tienes # texto en la cola. Espera a que termine o quítalo con ${inlineCode('/stop')}.`,
      other: `Ya tienes # textos en la cola. Espera a que termine uno o quítalos con ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Solo ${userMention(ownerId)} o moderación puede saltar esto.`,
  onlyOwnerCanStop: (ownerId) => `Solo ${userMention(ownerId)} o moderación puede parar esto.`,
  onlyOwnerCanUse: (ownerId) => `Solo ${userMention(ownerId)} o moderación puede hacer esto.`,
  onlyModerators: 'Solo moderación puede hacer esto.',
  empty: 'No suena nada.',
  nothingToStop: 'No tienes ningún texto sonando ni esperando.',
  othersWaiting: `Otros aún tienen textos en la cola, así que solo moderación puede hacerme salir. Moderación es quien tiene ${bold('Silenciar miembros')} o ${bold('Gestionar mensajes')} en mi canal de voz.`,
  skipped: (ownerId) => `He saltado el texto de ${userMention(ownerId)}.`,
  skippedOwn: 'He saltado tu texto.',
  stopped: (count) => format.plural(count, { one: 'Parado. He quitado # texto.', other: 'Parado. He quitado # textos.' }),
  left: (channelId) => `He salido de ${channelMention(channelId)}.`,
  nowPlaying: 'Sonando',
  upNext: 'A continuación',
  starting: 'Empezando…',
  timeLeft: (seconds) => `Tiempo restante: aproximadamente ${format.duration(seconds)}`,
  almostDone: 'Casi listo',
  lasts: (seconds) => `aproximadamente ${format.duration(seconds)}`,
  removeButton: 'Quitar',
  alreadyGone: 'Ese texto ya no está en la cola.',
  pageOf: (page, pages) => `Página ${format.number(page)} de ${format.number(pages)}`,
};
