// The descriptions of the commands and their options, in Spanish.
import type { Words } from '../words.ts';

export const commands: Words['commands'] = {
  say: {
    description: 'Decir un texto en tu canal de voz',
    text: 'Qué digo',
    voice: 'Con qué voz. La recuerdo para tus próximos textos',
    channel: 'En qué canal de voz, en lugar del tuyo',
    asFile: 'Mandar el sonido en un archivo',
    speed: 'De 0.5 (lento) a 2 (rápido), 1 es normal. La recuerdo para tus próximos textos',
  },
  queue: { description: 'Ver qué suena y qué viene después' },
  skip: { description: 'Saltar lo que suena: tu texto, o el de cualquiera si moderas' },
  stop: { description: 'Quitar todos tus textos, o los de todos si moderas' },
  leave: { description: 'Hacerme salir del canal de voz' },
  transcribe: {
    description: 'Convertir una grabación en texto',
    audio: 'La grabación, hasta 20 MB',
    language: 'El idioma que se habla. Vacío = detectarlo',
    timestamps: 'Mostrar cuándo se dice cada parte. Vacío = sí',
    format: 'Adjuntar también un archivo',
    private: 'Mostrarte la transcripción solo a ti',
    formats: { text: 'Texto (.txt)', srt: 'Subtítulos (.srt)', vtt: 'Subtítulos para la web (.vtt)', json: 'Datos (.json)' },
  },
  voices: {
    description: 'Explorar voces, escucharlas y elegir la tuya',
    title: 'Palabras del título',
    tag: 'Etiquetas, como calm o robot, separadas por comas',
    language: 'Idiomas por nombre o código, separados por comas',
    author: 'Quién hizo la voz',
    sort: 'Qué va primero',
    titleLanguage: 'Idiomas del título, por nombre o código',
    all: 'También voces que no dicen textos: sin entrenar y para cantar',
    mine: 'Solo las voces de la cuenta del bot (para quien lo gestiona)',
    page: 'Página por la que empezar',
    sorts: { score: 'Mejor coincidencia', task_count: 'Más usadas', created_at: 'Más nuevas' },
  },
  status: { description: 'Descubrir por qué no oyes nada' },
  credit: { description: 'Ver lo que se ha usado y lo que queda' },
  privacy: { description: 'Ver lo que guardo sobre ti y borrarlo' },
  help: { description: 'Qué sé hacer y cómo empezar' },
  settings: { description: 'Configurarme en este servidor: voces, volumen, quién puede usarme, presupuestos' },
};
