// What members read when something failed, in Polish.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api: {
    auth: 'Usługa głosowa nie przyjmuje mojego klucza. Musi się tym zająć właściciel bota.',
    credit: 'Środki w usłudze głosowej się skończyły. Właściciel bota musi je doładować.',
    'not-found': 'Usługa głosowa tego nie znajduje. Sprawdź swój wybór i spróbuj ponownie.',
    'rate-limited': (again) => `Usługa głosowa jest zajęta. Spróbuj ponownie ${again}.`,
    server: (again) => `Usługa głosowa ma problemy. Spróbuj ponownie ${again}.`,
    timeout: (again) => `Usługa głosowa odpowiada zbyt długo. Spróbuj ponownie ${again}.`,
    aborted: 'Zostało to przerwane, zanim usługa głosowa odpowiedziała. Spróbuj ponownie.',
    protocol: 'Nie rozumiem odpowiedzi usługi głosowej. Spróbuj za minutę.',
  },
  brokenOff: 'Odpowiedź usługi głosowej się urwała. Spróbuj za minutę.',
  inAMinute: 'za minutę',
  unreachable: (again) => `Nie mogę połączyć się z usługą głosową. Spróbuj ponownie ${again}.`,
  down: (since, again) => `Usługa głosowa przestała działać ${since}. Spróbuj ponownie ${again}.`,
  refused: 'Usługa głosowa tego nie przyjmuje. Zmień to i spróbuj ponownie.',
  refusedField: (field, reason) => `Usługa głosowa tego nie przyjmuje (${field}: ${reason}). Zmień to i spróbuj ponownie.`,
  maybeCharged: 'Mimo to liczy się jako zużycie, bo usługa mogła naliczyć opłatę.',
  unsupported: {
    catalogue: `Ta usługa głosowa nie ma listy głosów. Jeśli znasz identyfikator głosu, użyj go w ${inlineCode('/say')}.`,
    transcription: 'Ta usługa głosowa nie potrafi przepisywać, tylko mówi.',
    credit: 'Ta usługa głosowa nie podaje stanu środków.',
    'live-speech': 'Ta usługa głosowa nie potrafi mówić na żywo. Spróbuj ponownie.',
    'own-voices': 'Ta usługa głosowa nie potrafi tworzyć głosów.',
    speech: `Ta usługa głosowa nie potrafi mówić. Właściciel bota może sprawdzić ${code('VOICE_API_URL')}.`,
  },
  voice: {
    busy: 'Mówię na innym kanale tego serwera. Dołącz tam albo spróbuj, gdy skończę.',
    hearing: 'Tworzę napisy na innym kanale tego serwera. Dołącz tam albo spróbuj, gdy napisy się skończą.',
    'join-timeout':
      'Discord nie wpuścił mnie na czas na kanał głosowy. Spróbuj ponownie. Jeśli to się powtarza, może pomóc inny region w ustawieniach kanału.',
    'encryption-timeout':
      'Szyfrowanie od końca do końca nie zadziałało na kanale głosowym, więc nic nie mówię. Spróbuj ponownie albo poproś wszystkich, żeby wyszli i weszli ponownie.',
    'channel-full': 'Kanał głosowy jest pełny. Poczekaj na wolne miejsce albo wybierz inny kanał.',
    'not-permitted':
      'Nie mogę dołączyć do tego kanału głosowego albo na nim mówić. Administratorzy serwera mogą na to pozwolić w ustawieniach kanału.',
    muted: 'Jestem wyciszony na tym serwerze. Moderator może to cofnąć, klikając prawym przyciskiem moją nazwę na kanale głosowym.',
    'member-muted':
      'Moderator wyciszył cię na kanałach głosowych tego serwera, więc nie mówię już dla ciebie. Gdy to cofnie, znów będę dla ciebie mówić.',
    untrusted:
      'Nie mogę zweryfikować serwera głosowego Discorda, więc nic nie mówię. Właściciel bota może sprawdzić zegar i certyfikaty komputera.',
    kicked: 'Moderator rozłączył mnie z kanałem głosowym, więc kolejka jest teraz pusta. Spróbuj ponownie, a wrócę.',
    'channel-gone': 'Kanał głosowy został usunięty, więc kolejka jest teraz pusta. Dołącz do innego i spróbuj ponownie.',
    'sending-failed':
      'Przez błąd po mojej stronie nie udało się wysłać dźwięku, więc opuszczam kanał głosowy. Spróbuj ponownie. Jeśli to się powtarza, powiadom właściciela bota.',
    closing: 'Właśnie uruchamiam się ponownie, więc to nie zostało dokończone. Spróbuj za minutę.',
    disconnected: 'Nie ma mnie już na kanale głosowym, więc kolejka jest teraz pusta. Spróbuj ponownie, a wrócę.',
    refused: 'Discord odrzucił połączenie głosowe. Spróbuj na innym kanale.',
  },
  status: (status) => `Status ${status}`,
  request: (id) => `Żądanie ${code(id)}`,
  code: (code) => `Kod ${code}`,
  budget: {
    switchedOff: {
      speech: `Mówienie jest wyłączone na tym serwerze. Administratorzy serwera mogą na nie pozwolić w ${inlineCode('/settings')}, w Limitach.`,
      transcription: `Transkrypcja jest wyłączona na tym serwerze. Administratorzy serwera mogą na nią pozwolić w ${inlineCode('/settings')}, w Limitach.`,
    },
    overCap: {
      member: (cap) => `To więcej niż twój dzienny limit (${cap}). Skróć to.`,
      guild: (cap) => `To więcej niż dzienny limit tego serwera (${cap}). Skróć to.`,
    },
    raise: { admin: 'Administratorzy serwera mogą podnieść limit w `/settings`.', operator: 'Właściciel bota może podnieść limit.' },
    usedUp: {
      member: {
        speech: (resets) => `Twój limit mowy na dziś jest wykorzystany. Odnowi się ${resets}.`,
        transcription: (resets) => `Twój limit transkrypcji na dziś jest wykorzystany. Odnowi się ${resets}.`,
      },
      guild: {
        speech: (resets) => `Limit mowy tego serwera na dziś jest wykorzystany. Odnowi się ${resets}.`,
        transcription: (resets) => `Limit transkrypcji tego serwera na dziś jest wykorzystany. Odnowi się ${resets}.`,
      },
    },
    left: {
      member: (left, resets) => `To więcej, niż zostało ci na dziś (${left}). Skróć to albo poczekaj: twój limit odnowi się ${resets}.`,
      guild: (left, resets) =>
        `To więcej, niż zostało na dziś temu serwerowi (${left}). Skróć to albo poczekaj: jego limit odnowi się ${resets}.`,
    },
  },
  amount: {
    speech: (characters) =>
      format.plural(characters, { one: '# znak mowy', few: '# znaki mowy', many: '# znaków mowy', other: '# znaku mowy' }),
    transcription: (seconds) => `${format.duration(seconds)} transkrypcji`,
  },
  unexpected: (reference) =>
    `Coś poszło nie tak po mojej stronie. Spróbuj ponownie. Jeśli to się powtarza, powiadom właściciela bota.\n-# Numer ${code(reference)}`,
  storeFailed:
    'Nie mogę teraz zapisać ani odczytać swoich danych, więc nic się nie zmieniło. Spróbuj za minutę.\n-# Dla właściciela bota: sprawdź dysk albo wspólny magazyn danych.',
  discordFailed: (status) => `Discord ma problemy, więc moja odpowiedź nie dotarła. Spróbuj za minutę.\n-# Status ${status}`,
  discordBusy: (at) => `To jeden z limitów Discorda. Spróbuj ponownie ${format.relative(at)}.`,
  noPermission: 'Discord nie pozwala mi tu na to. Administratorzy serwera mogą sprawdzić moje uprawnienia na tym kanale.',
  badAudio: 'Usługa głosowa przysłała coś, co nie jest dźwiękiem. Spróbuj ponownie albo wybierz inny głos.',
  endlessAudio: 'Głos nie przestawał mówić, więc go zatrzymuję. Spróbuj ponownie albo wybierz inny głos.',
  brokenAudio: 'Dźwięk z usługi głosowej urwał się. Spróbuj ponownie albo wybierz inny głos.',
};
