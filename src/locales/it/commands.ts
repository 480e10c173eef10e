// The descriptions of the commands and their options, in Italian.
import type { Words } from '../words.ts';

export const commands: Words['commands'] = {
  say: {
    description: 'Fammi dire un testo nel tuo canale vocale',
    text: 'Cosa devo dire',
    voice: 'Con quale voce. La tengo per i tuoi prossimi testi',
    channel: 'In quale canale vocale, se non nel tuo',
    asFile: 'Manda l’audio in un file, invece di parlare',
    speed: 'Da 0.5 (lento) a 2 (veloce), 1 è normale. La tengo per i tuoi prossimi testi',
  },
  queue: { description: 'Guarda cosa è in riproduzione e cosa viene dopo' },
  skip: { description: 'Salta ciò che è in riproduzione: il tuo testo o, se moderi, quello di chiunque' },
  stop: { description: 'Scarta tutti i tuoi testi o, se moderi, quelli di tutti' },
  leave: { description: 'Fammi uscire dal canale vocale' },
  transcribe: {
    description: 'Trasforma una registrazione in testo',
    audio: 'La registrazione, fino a 20 MB',
    language: 'La lingua parlata. Vuoto = rilevala',
    timestamps: 'Mostra quando è stata detta ogni parte. Vuoto = sì',
    format: 'Allega anche un file',
    private: 'Mostra la trascrizione solo a te',
    formats: { text: 'Testo (.txt)', srt: 'Sottotitoli (.srt)', vtt: 'Sottotitoli per il web (.vtt)', json: 'Dati (.json)' },
  },
  voices: {
    description: 'Sfoglia le voci, ascoltale e scegli la tua',
    title: 'Parole del titolo',
    tag: 'Tag, come calm o robot, separati da virgole',
    language: 'Lingue, per nome o codice, separate da virgole',
    author: 'Chi ha creato la voce',
    sort: 'Cosa viene prima',
    titleLanguage: 'Lingue del titolo, per nome o codice',
    all: 'Anche le voci che non possono dire testi: non addestrate e per il canto',
    mine: 'Solo le voci dell’account del bot (per chi lo gestisce)',
    page: 'Da quale pagina iniziare',
    sorts: { score: 'Più pertinenti', task_count: 'Più usate', created_at: 'Più recenti' },
  },
  status: { description: 'Scopri perché non senti nulla' },
  credit: { description: 'Guarda quanto è stato usato e quanto resta' },
  privacy: { description: 'Guarda cosa conservo di te ed eliminalo' },
  help: { description: 'Cosa so fare e come iniziare' },
  settings: { description: 'Configurami per questo server: voci, volume, chi può usarmi, budget' },
};
