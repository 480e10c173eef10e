// The descriptions of the commands and their options, in Polish.
import type { Words } from '../words.ts';

export const commands: Words['commands'] = {
  say: {
    description: 'Powiem tekst na twoim kanale głosowym',
    text: 'Co mam powiedzieć',
    voice: 'Jakim głosem. Zapamiętam go dla kolejnych tekstów',
    channel: 'Na jakim kanale głosowym, jeśli nie na twoim',
    asFile: 'Zamiast mówić, wyślij dźwięk jako plik',
    speed: 'Od 0.5 (wolno) do 2 (szybko), 1 to normalnie. Zapamiętam to dla kolejnych tekstów',
  },
  queue: { description: 'Zobacz, co jest odtwarzane i co będzie dalej' },
  skip: { description: 'Pomiń to, co jest odtwarzane: swój tekst, a jako moderator także cudzy' },
  stop: { description: 'Usuń z kolejki wszystkie swoje teksty, a jako moderator teksty wszystkich' },
  leave: { description: 'Wyproś mnie z kanału głosowego' },
  transcribe: {
    description: 'Zamień nagranie w tekst',
    audio: 'Nagranie, do 20 MB',
    language: 'Język nagrania. Puste = wykryj',
    timestamps: 'Pokaż, kiedy co powiedziano. Puste = tak',
    format: 'Załącz też plik',
    private: 'Pokaż transkrypcję tylko tobie',
    formats: { text: 'Tekst (.txt)', srt: 'Napisy (.srt)', vtt: 'Napisy do internetu (.vtt)', json: 'Dane (.json)' },
  },
  voices: {
    description: 'Przeglądaj głosy, posłuchaj ich i wybierz swój',
    title: 'Słowa z tytułu',
    tag: 'Tagi, np. calm lub robot, oddzielone przecinkami',
    language: 'Języki: nazwy lub kody oddzielone przecinkami',
    author: 'Kto stworzył głos',
    sort: 'Co ma być na początku',
    titleLanguage: 'Języki tytułu: nazwy lub kody',
    all: 'Także głosy, które nie mówią tekstów: niewytrenowane i do śpiewu',
    mine: 'Tylko głosy z konta bota (dla jego właściciela)',
    page: 'Od której strony zacząć',
    sorts: { score: 'Najlepiej pasujące', task_count: 'Najczęściej używane', created_at: 'Najnowsze' },
  },
  status: { description: 'Dowiedz się, dlaczego nic nie słyszysz' },
  credit: { description: 'Zobacz, ile zużyto i ile zostało' },
  privacy: { description: 'Zobacz, co o tobie przechowuję, i usuń to' },
  help: { description: 'Co potrafię i jak zacząć' },
  settings: { description: 'Ustaw mnie na tym serwerze: głosy, głośność, kto może mnie używać, limity' },
};
