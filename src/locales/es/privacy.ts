// What /privacy says, in Spanish.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const privacy: Words['privacy'] = {
  title: 'Tu privacidad',
  sent: (host) =>
    host === null
      ? `${bold('Quién lo recibe.')} Tus textos y grabaciones van a un servicio de voz en mi propia máquina y a ningún otro sitio.`
      : `${bold('Quién lo recibe.')} Tus textos y grabaciones van al servicio de voz ${inlineCode(host)}, sin tu nombre. Lo que pase allí lo decide quien lo gestiona. No los mando a ningún otro sitio.`,
  notKept: `${bold('Lo que nunca guardo.')} Grabaciones y transcripciones. No las escribo en ningún registro, ni tus textos ni tu nombre.`,
  texts: `${bold('Textos.')} Si mi respuesta no puede mostrar un texto tal como lo escribiste, por ejemplo porque es largo, lo guardo cifrado hasta 30 días para que puedas repetirlo. La única clave está en la respuesta: si se borra, nadie puede leer el texto.`,
  kept: `${bold('Lo que guardo sobre ti.')} Tu voz, tus voces favoritas y recientes y tu velocidad, hasta que las borres. Cuánto has usado, en números, durante dos días.`,
  madeVoices: `${bold('Las voces que creas.')} Sus títulos, quién dio su permiso y cuándo, hasta que las borres. Las grabaciones solo van al servicio de voz. Mientras espero el permiso de alguien, guardo tu petición sellada, 20 horas como máximo.`,
  sound: (bytes) =>
    bytes === 0
      ? `${bold('Sonido.')} No guardo nada.`
      : `${bold('Sonido.')} Guardo hasta ${format.megabytes(bytes)} de audio para que repetir en el mismo servidor sea gratis. Lo más antiguo se va primero, y todo a los 30 días como mucho. Los nombres de los archivos no revelan el texto. Anoto qué sonidos son tuyos para que puedas borrarlos.`,
  server: `${bold('Lo que guardo sobre los servidores.')} Los ajustes, incluido quién está silenciado, hasta que cambien o 30 días después de que me quiten. El uso, en números sin nombres, durante 31 días. El volumen de cada voz, durante 90 días.`,
  messages: `${bold('Mis respuestas.')} Son mensajes de Discord y se quedan hasta que alguien los borre.`,
  localMessages: `${bold('Mis respuestas.')} Esto es el Discord local, en mi propia máquina. En lugar de los servidores de Discord, guarda los mensajes y archivos de todo el mundo durante un día, en una carpeta que solo puede leer el usuario con el que se ejecuta.`,
  openReplies:
    'Mientras una respuesta no está terminada, anoto dónde está para corregirla después de un reinicio. De las que solo ves tú, guardo también la clave cifrada para editarlas, 15 minutos como mucho. Si me escribes directamente, anoto durante un día que ya te hablé de mis comandos.',
  erased: `${bold('Al borrar.')} Lo que borras se sobrescribe al momento. Otras copias en mi base de datos, como el título de tu voz entre las voces recientes de otros miembros, desaparecen en 10 minutos como máximo.`,
  reading: (isRead) =>
    `${bold('Lectura en voz alta.')} Donde alguien la ha activado, leo los mensajes nuevos del canal en un canal de voz. No los guardo. Su audio queda solo en memoria, hasta que se edita o se borra el mensaje, y como mucho una hora después de oírse por última vez. Qué voz lee los tuyos en un servidor lo recuerdo durante 30 días después de la última lectura. También recuerdo en qué canales la has activado tú, hasta que alguien la desactive. ${isRead ? 'Tus mensajes se pueden leer en voz alta.' : 'Has elegido que no se lean tus mensajes en ningún servidor.'}`,
  optOutButton: 'No leer mis mensajes',
  optInButton: 'Volver a leer mis mensajes',
  optOutGoes: 'Además, tus mensajes volverán a leerse en voz alta.',
  deleteButton: 'Borrar mis datos…',
  emptyButton: 'Vaciar la caché de audio…',
  deleteQuestion: (hasSound) =>
    hasSound
      ? '¿Borrar tus voces, tu velocidad, tu diccionario, los textos guardados y su sonido? No se puede deshacer.'
      : '¿Borrar tus voces, tu velocidad, tu diccionario y los textos guardados? No se puede deshacer.',
  whatStays:
    'Dos cosas se quedan: lo que has usado hoy, durante dos días, para que borrar no reinicie tu presupuesto; y si un admin te silenció en un servidor.',
  deleteYes: 'Borrar',
  cancel: 'Cancelar',
  deleted: (sounds) =>
    sounds === 0
      ? 'Listo. He borrado tus datos.'
      : `Listo. He borrado tus datos y ${format.plural(sounds, { one: '# sonido guardado', other: '# sonidos guardados' })}.`,
  deletedLater: 'Parte del audio guardado está en una máquina que ahora no está en marcha. Allí se borrará antes de reproducir nada.',
  emptyQuestion: '¿Vaciar la caché de audio de todos los miembros y servidores? Volver a decir lo mismo gastará crédito.',
  emptyYes: 'Vaciar',
  emptied: (bytes) => `Listo. La caché de audio está vacía y quedan libres ${format.megabytes(bytes)}.`,
  yourVoices: (titles) => `Las tuyas: ${titles}.`,
  voicesOfYou: (count) =>
    `${bold('Tu voz en otras manos.')} ${format.plural(count, { one: '# voz de otro miembro está hecha de tu grabación, porque lo aceptaste.', other: '# voces de otros miembros están hechas de tus grabaciones, porque lo aceptaste.' })}`,
  voicesToo: (count) =>
    format.plural(count, {
      one: 'También se borra # voz creada por ti o con tu grabación, incluso en el servicio de voz.',
      other: 'También se borran # voces creadas por ti o con tus grabaciones, incluso en el servicio de voz.',
    }),
  voicesDeleted: (count) => format.plural(count, { one: 'También he borrado # voz.', other: 'También he borrado # voces.' }),
  voicesLeft: (count) =>
    format.plural(count, {
      one: 'El servicio de voz no ha podido borrar # voz todavía. Ya nadie puede usarla y lo seguiré intentando.',
      other: 'El servicio de voz no ha podido borrar # voces todavía. Ya nadie puede usarlas y lo seguiré intentando.',
    }),
  operatorsOnly: `Solo quien gestiona el bot puede vaciar la caché de audio. ${bold('Borrar mis datos')} quita tu parte.`,
};
