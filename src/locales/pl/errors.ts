// What members read when something failed, in Polish.
import { inlineCode } from 'discord.js';
import type { ApiError } from '../../api/index.ts';
import type { BudgetError, SpendingKind } from '../../credit/index.ts';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { VoiceError } from '../../voice/types.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api,
  budget,
  voice,
  unexpected: (reference) =>
    `Coś poszło nie tak po mojej stronie. Spróbuj ponownie. Jeśli to się powtarza, powiadom właściciela bota.\n-# Numer ${code(reference)}`,
  storeFailed:
    'Nie mogę teraz zapisać ani odczytać swoich danych, więc nic się nie zmieniło. Spróbuj za minutę.\n-# Dla właściciela bota: sprawdź dysk.',
  discordFailed: (status) => `Discord ma problemy, więc moja odpowiedź nie dotarła. Spróbuj za minutę.\n-# Status ${status}`,
  discordBusy: (at) => `To jeden z limitów Discorda. Spróbuj ponownie ${format.relative(at)}.`,
  noPermission: 'Discord nie pozwala mi tu na to. Administratorzy serwera mogą sprawdzić moje uprawnienia na tym kanale.',
  badAudio: 'Usługa głosowa przysłała coś, co nie jest dźwiękiem. Spróbuj ponownie albo wybierz inny głos.',
  endlessAudio: 'Głos nie przestawał mówić, więc go zatrzymuję. Spróbuj ponownie albo wybierz inny głos.',
  brokenAudio: 'Dźwięk z usługi głosowej urwał się. Spróbuj ponownie albo wybierz inny głos.',
};

function api(error: ApiError, now = Date.now()): string {
  const again = error.retryAfterMs === null ? 'za minutę' : format.relative(now + error.retryAfterMs);
  if (error.downForMs !== null)
    return `Usługa głosowa przestała działać ${format.relative(now - error.downForMs)}. Spróbuj ponownie ${again}.`;
  if (error.kind === 'unsupported') return unsupported(error.operation);
  const sentence = {
    auth: 'Usługa głosowa nie przyjmuje mojego klucza. Musi się tym zająć właściciel bota.',
    credit: 'Środki w usłudze głosowej się skończyły. Właściciel bota musi je doładować.',
    validation: refusal(error),
    'not-found': 'Usługa głosowa tego nie znajduje. Sprawdź swój wybór i spróbuj ponownie.',
    'rate-limited': `Usługa głosowa jest zajęta. Spróbuj ponownie ${again}.`,
    server:
      error.status === null
        ? `Nie mogę połączyć się z usługą głosową. Spróbuj ponownie ${again}.`
        : `Usługa głosowa ma problemy. Spróbuj ponownie ${again}.`,
    timeout: `Usługa głosowa odpowiada zbyt długo. Spróbuj ponownie ${again}.`,
    aborted: 'Zostało to przerwane, zanim usługa głosowa odpowiedziała. Spróbuj ponownie.',
    protocol: 'Nie rozumiem odpowiedzi usługi głosowej. Spróbuj za minutę.',
  }[error.kind];
  const charged = error.mayHaveBeenBilled ? ' Mimo to liczy się jako zużycie, bo usługa mogła naliczyć opłatę.' : '';
  const isTechnical = error.kind !== 'aborted' && (error.status !== null || error.requestId);
  const status = error.status === null ? null : `Status ${error.status}`;
  const request = error.requestId ? `Żądanie ${code(error.requestId)}` : null;
  const details = isTechnical ? `\n-# ${[status, request].filter((part) => part !== null).join(' · ')}` : '';
  return `${sentence}${charged}${details}`;
}

function unsupported(operation: ApiError['operation']): string {
  return {
    catalogue: `Ta usługa głosowa nie ma listy głosów. Jeśli znasz identyfikator głosu, użyj go w ${inlineCode('/say')}.`,
    transcription: 'Ta usługa głosowa nie potrafi przepisywać, tylko mówi.',
    credit: 'Ta usługa głosowa nie podaje stanu środków.',
    'live-speech': 'Ta usługa głosowa nie potrafi mówić na żywo. Spróbuj ponownie.',
    'own-voices': 'Ta usługa głosowa nie potrafi tworzyć głosów.',
    speech: `Ta usługa głosowa nie potrafi mówić. Właściciel bota może sprawdzić ${code('VOICE_API_URL')}.`,
  }[operation ?? 'speech'];
}

function voice(error: VoiceError): string {
  return {
    busy: 'Mówię na innym kanale tego serwera. Dołącz tam albo spróbuj, gdy skończę.',
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
    closing: 'Właśnie uruchamiam się ponownie, więc to nie zostało dokończone. Spróbuj za minutę.',
    disconnected: 'Nie ma mnie już na kanale głosowym, więc kolejka jest teraz pusta. Spróbuj ponownie, a wrócę.',
    refused: `Discord odrzucił połączenie głosowe. Spróbuj na innym kanale.${error.code === null ? '' : `\n-# Kod ${error.code}`}`,
  }[error.kind];
}

function refusal({ details }: ApiError): string {
  const [detail] = details;
  if (!detail) return 'Usługa głosowa tego nie przyjmuje. Zmień to i spróbuj ponownie.';
  if (/\. \S.*\.$/s.test(detail.msg)) return asMarkdown(detail.msg, 300);
  const field = code(detail.loc.at(-1) ?? 'request');
  return `Usługa głosowa tego nie przyjmuje (${field}: ${asMarkdown(detail.msg, 150)}). Zmień to i spróbuj ponownie.`;
}

function budget({ owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  if (cap === 0) return switchedOff(kind);
  const resets = format.relative(resetsAt);
  const isMember = owner === 'member';
  if (requested > cap) {
    const next = setBy === 'admin' ? 'Administratorzy serwera mogą podnieść limit w `/settings`.' : 'Właściciel bota może podnieść limit.';
    return isMember
      ? `To więcej niż twój dzienny limit (${amountOf(kind, cap)}). Skróć to. ${next}`
      : `To więcej niż dzienny limit tego serwera (${amountOf(kind, cap)}). Skróć to. ${next}`;
  }
  const name = { speech: 'mowy', transcription: 'transkrypcji' }[kind];
  if (Math.floor(left) < 1)
    return isMember
      ? `Twój limit ${name} na dziś jest wykorzystany. Odnowi się ${resets}.`
      : `Limit ${name} tego serwera na dziś jest wykorzystany. Odnowi się ${resets}.`;
  return isMember
    ? `To więcej, niż zostało ci na dziś (${amountOf(kind, left)}). Skróć to albo poczekaj: twój limit odnowi się ${resets}.`
    : `To więcej, niż zostało na dziś temu serwerowi (${amountOf(kind, left)}). Skróć to albo poczekaj: jego limit odnowi się ${resets}.`;
}

function amountOf(kind: SpendingKind, amount: number): string {
  return kind === 'speech'
    ? format.plural(Math.floor(amount), { one: '# znak mowy', few: '# znaki mowy', many: '# znaków mowy', other: '# znaku mowy' })
    : `${format.duration(amount)} transkrypcji`;
}

function switchedOff(kind: SpendingKind): string {
  return {
    speech: `Mówienie jest wyłączone na tym serwerze. Administratorzy serwera mogą na nie pozwolić w ${inlineCode('/settings')}, w Limitach.`,
    transcription: `Transkrypcja jest wyłączona na tym serwerze. Administratorzy serwera mogą na nią pozwolić w ${inlineCode('/settings')}, w Limitach.`,
  }[kind];
}
