// What /dictionary says, in Spanish.
import { bold, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const entries = (count: number) => format.plural(count, { one: '# entrada', other: '# entradas' });

export const dictionary: Words['dictionary'] = {
  titles: { server: 'Diccionario del servidor', me: 'Tu diccionario' },
  count: (count, most) => `${format.number(count)} de ${entries(most)}`,
  found: (count, typed) => `${entries(count)} con ${code(typed)}`,
  empty: {
    server: `Aquí todavía no hay nada. Con ${inlineCode('/dictionary add')} me enseñas cómo se dice una palabra.`,
    me: `Aquí todavía no hay nada. Con ${inlineCode('/dictionary add')} me enseñas cómo quieres que diga una palabra. Tus entradas van antes que las del servidor.`,
  },
  noneFound: (typed) => `Ninguna entrada contiene ${code(typed)}. Prueba con una parte más corta de la palabra.`,
  entry: (word, spoken, language) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken} (${format.language(language)})`,
  added: { server: 'Añadida al diccionario del servidor.', me: 'Añadida a tu diccionario.' },
  changed: { server: 'Cambiada en el diccionario del servidor.', me: 'Cambiada en tu diccionario.' },
  before: (spoken) => `Antes: ${spoken}`,
  removed: { server: 'Quitada del diccionario del servidor.', me: 'Quitada de tu diccionario.' },
  hear: 'Escuchar',
  undo: 'Deshacer',
  undone: { server: 'Deshecho. El diccionario del servidor está como antes.', me: 'Deshecho. Tu diccionario está como antes.' },
  undoExpired: `Ya no se puede deshacer. ${inlineCode('/dictionary list')} muestra lo que hay ahora.`,
  notFound: {
    server: (word) => `${code(word)} no está en el diccionario del servidor. ${inlineCode('/dictionary list')} muestra lo que hay.`,
    me: (word) => `${code(word)} no está en tu diccionario. ${inlineCode('/dictionary list')} muestra lo que hay.`,
  },
  nothingApplies: (text) => `Ninguna entrada cambia cómo digo ${code(text)}. Añade una con ${inlineCode('/dictionary add')}.`,
  full: {
    server: (most) => `El diccionario del servidor está lleno: caben ${entries(most)}. Quita una primero.`,
    me: (most) => `Tu diccionario está lleno: caben ${entries(most)}. Quita una primero.`,
  },
  notAllowed: (roles) =>
    roles.length === 0 || roles.length > 5
      ? `Necesitas ${bold('Gestionar servidor')} para cambiar el diccionario del servidor. Para cambiar el tuyo, elígelo en ${inlineCode('for')}.`
      : `Necesitas ${bold('Gestionar servidor')} o ${format.or(roles.map(roleMention))} para cambiar el diccionario del servidor. Para cambiar el tuyo, elígelo en ${inlineCode('for')}.`,
  notInGuild: `Aquí solo está tu propio diccionario. Deja ${inlineCode('for')} vacío.`,
  problems: {
    noWord: 'La palabra no tiene letras ni cifras. Escríbela como la escribe la gente.',
    longWord: 'La palabra es demasiado larga. Usa 100 caracteres como máximo.',
    noSpoken: 'No hay nada que decir por la palabra. Escribe al menos una letra o una cifra.',
    longSpoken: 'Hay demasiado que decir por la palabra. Usa 200 caracteres como máximo.',
    language: `No conozco este idioma. Usa un código como ${inlineCode('en')}, o déjalo vacío para todos los idiomas.`,
    duplicate: 'La palabra ya está en una línea anterior. Esa es la que cuenta.',
    quotes: 'Aquí o más arriba hay unas comillas sin cerrar.',
    full: 'El diccionario está lleno.',
  },
  showServer: 'Diccionario del servidor',
  showMine: 'Tu diccionario',
  removeMenu: 'Quitar una palabra…',
  exported: {
    server: 'Este es el diccionario del servidor. Edítalo en cualquier hoja de cálculo e impórtalo de nuevo.',
    me: 'Este es tu diccionario. Edítalo en cualquier hoja de cálculo e impórtalo de nuevo.',
  },
  importTitle: { server: 'Importar al diccionario del servidor', me: 'Importar a tu diccionario' },
  importLabel: 'Archivo CSV',
  importHint: 'Columnas: palabra, qué decir, idioma (puede estar vacío). Hasta 1 MB.',
  importModeLabel: 'Entradas que ya existen',
  importModes: { merge: 'Conservarlas; si se repite una palabra, vale el archivo', replace: 'Quitarlas todas antes' },
  imported: (added, changed) =>
    changed === 0
      ? `Importado. Nuevas: ${format.number(added)}.`
      : `Importado. Nuevas: ${format.number(added)}; cambiadas: ${format.number(changed)}.`,
  importedInstead: (count, gone) => `Importado. Ahora hay ${entries(count)}; antes había ${format.number(gone)}.`,
  importedNothing: (file) => `En ${code(file)} no hay nada que pueda usar. No he cambiado nada.`,
  skipped: (count) => format.plural(count, { one: '# línea no importada:', other: '# líneas no importadas:' }),
  line: (line, reason) => `Línea ${format.number(line)}: ${reason}`,
  lines: (from, to, reason) => `Líneas ${format.number(from)} a ${format.number(to)}: ${reason}`,
  moreSkipped: (count) => `… y ${format.plural(count, { one: '# más', other: '# más' })}. En el archivo adjunto están todas.`,
  unread: {
    full: (line) => `Me he detenido en la línea ${format.number(line)} porque en el diccionario no cabe nada más.`,
    tooManyBad: (line) =>
      `Me he detenido en la línea ${format.number(line)} porque hay demasiadas líneas anteriores que no puedo aceptar. Corrígelas y vuelve a importar el archivo.`,
  },
  notText: (file) => `${code(file)} no es un archivo de texto en UTF-8. En Excel, guárdalo como «CSV UTF-8». No he cambiado nada.`,
  fileTooLarge: (file, limit) =>
    `${code(file)} pasa de ${format.megabytes(limit)}, más de lo que cabe en un diccionario. Divídelo. No he cambiado nada.`,
  privacy: (count) =>
    `${bold('Diccionarios.')} ${count === 0 ? '' : `Del tuyo, ${entries(count)}, hasta que las quites. `}Las entradas de un servidor se quedan tanto como sus ajustes.`,
};
