// What members read when something failed, in German.
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
    `Bei mir ist etwas schiefgegangen. Versuch es noch einmal. Passiert es wieder, sag denen Bescheid, die den Bot betreiben.\n-# Kennung ${code(reference)}`,
  storeFailed:
    'Ich kann meine Daten gerade nicht lesen oder speichern, deshalb hat sich nichts geändert. Versuch es in einer Minute noch einmal.\n-# Für die Betreiber: den Datenträger prüfen.',
  discordFailed: (status) =>
    `Discord hat gerade Probleme, deshalb kam meine Antwort nicht an. Versuch es in einer Minute noch einmal.\n-# Status ${status}`,
  discordBusy: (at) => `Ich bin an eine Grenze von Discord gestoßen. Versuch es ${format.relative(at)} noch einmal.`,
  noPermission: 'Discord lässt mich das hier nicht tun. Server-Admins können meine Berechtigungen in diesem Kanal prüfen.',
  badAudio: 'Der Sprachdienst hat etwas geschickt, das kein Ton ist. Versuch es noch einmal, oder nimm eine andere Stimme.',
  endlessAudio: 'Die Stimme hörte nicht auf zu reden, also habe ich sie beendet. Versuch es noch einmal, oder nimm eine andere Stimme.',
  brokenAudio: 'Der Ton vom Sprachdienst brach ab. Versuch es noch einmal, oder nimm eine andere Stimme.',
};

function api(error: ApiError, now = Date.now()): string {
  const again = error.retryAfterMs === null ? 'in einer Minute' : format.relative(now + error.retryAfterMs);
  if (error.downForMs !== null)
    return `Der Sprachdienst ist ausgefallen (${format.relative(now - error.downForMs)} bemerkt). Versuch es ${again} noch einmal.`;
  if (error.kind === 'unsupported') return unsupported(error.operation);
  const sentence = {
    auth: 'Der Sprachdienst nimmt meinen Schlüssel nicht an. Darum müssen sich die Betreiber des Bots kümmern.',
    credit: 'Das Guthaben beim Sprachdienst ist aufgebraucht. Die Betreiber des Bots müssen es aufladen.',
    validation: refusal(error),
    'not-found': 'Der Sprachdienst findet das nicht. Prüfe, was du ausgewählt hast, und versuch es noch einmal.',
    'rate-limited': `Der Sprachdienst hat viel zu tun. Versuch es ${again} noch einmal.`,
    server:
      error.status === null
        ? `Ich erreiche den Sprachdienst nicht. Versuch es ${again} noch einmal.`
        : `Der Sprachdienst hat Probleme. Versuch es ${again} noch einmal.`,
    timeout: `Der Sprachdienst hat zu lange gebraucht. Versuch es ${again} noch einmal.`,
    aborted: 'Das wurde beendet, bevor der Sprachdienst geantwortet hat. Versuch es noch einmal.',
    protocol: 'Mit der Antwort des Sprachdienstes kann ich nichts anfangen. Versuch es in einer Minute noch einmal.',
  }[error.kind];
  const charged = error.mayHaveBeenBilled ? ' Es zählt trotzdem als verbraucht, weil der Dienst es berechnet haben könnte.' : '';
  const isTechnical = error.kind !== 'aborted' && (error.status !== null || error.requestId);
  const status = error.status === null ? null : `Status ${error.status}`;
  const request = error.requestId ? `Anfrage ${code(error.requestId)}` : null;
  const details = isTechnical ? `\n-# ${[status, request].filter((part) => part !== null).join(' · ')}` : '';
  return `${sentence}${charged}${details}`;
}

function unsupported(operation: ApiError['operation']): string {
  return {
    catalogue: `Dieser Sprachdienst hat keine Liste von Stimmen. Wenn du die ID einer Stimme kennst, benutze sie in ${inlineCode('/say')}.`,
    transcription: 'Dieser Sprachdienst kann nicht mitschreiben, er spricht nur.',
    credit: 'Dieser Sprachdienst verrät kein Guthaben.',
    speech: `Dieser Sprachdienst kann nicht sprechen. Die Betreiber des Bots können ${code('VOICE_API_URL')} prüfen.`,
    'live-speech': 'Dieser Sprachdienst kann nicht in Echtzeit sprechen. Versuch es noch einmal.',
    'own-voices': 'Dieser Sprachdienst kann keine Stimmen erstellen.',
  }[operation ?? 'speech'];
}

function voice(error: VoiceError): string {
  return {
    busy: 'Ich spreche gerade in einem anderen Kanal dieses Servers. Komm dorthin, oder versuch es, wenn ich fertig bin.',
    'join-timeout':
      'Discord hat mich nicht rechtzeitig in den Sprachkanal gelassen. Versuch es noch einmal. Passiert es wieder, kann eine andere Region in den Kanaleinstellungen helfen.',
    'encryption-timeout':
      'Die Ende-zu-Ende-Verschlüsselung des Sprachkanals kam nicht zustande, deshalb habe ich nichts gesagt. Versuch es noch einmal, oder bitte alle, neu beizutreten.',
    'channel-full': 'Der Sprachkanal ist voll. Warte auf einen freien Platz, oder nimm einen anderen Kanal.',
    'not-permitted':
      'Ich darf diesem Sprachkanal nicht beitreten oder dort nicht sprechen. Server-Admins können das in den Kanaleinstellungen erlauben.',
    muted: 'Ich bin auf diesem Server stummgeschaltet. Die Moderation kann das mit Rechtsklick auf meinen Namen im Sprachkanal aufheben.',
    'member-muted':
      'Die Moderation hat dich in den Sprachkanälen dieses Servers stummgeschaltet, deshalb spreche ich nicht mehr für dich. Sobald das aufgehoben ist, spreche ich wieder für dich.',
    untrusted:
      'Ich kann Discords Sprachserver nicht überprüfen, deshalb habe ich nichts gesagt. Die Betreiber des Bots können Uhr und Zertifikate des Rechners prüfen.',
    kicked:
      'Die Moderation hat mich aus dem Sprachkanal entfernt, deshalb ist die Warteschlange jetzt leer. Versuch es noch einmal, dann komme ich wieder.',
    'channel-gone':
      'Der Sprachkanal wurde gelöscht, deshalb ist die Warteschlange jetzt leer. Tritt einem anderen bei und versuch es noch einmal.',
    closing: 'Ich starte gerade neu, deshalb wurde das nicht fertig. Versuch es in einer Minute noch einmal.',
    disconnected:
      'Ich habe den Sprachkanal verlassen, deshalb ist die Warteschlange jetzt leer. Versuch es noch einmal, dann komme ich wieder.',
    refused: `Discord hat die Sprachverbindung abgelehnt. Versuch es in einem anderen Kanal.${error.code === null ? '' : `\n-# Code ${error.code}`}`,
  }[error.kind];
}

function refusal({ details }: ApiError): string {
  const [detail] = details;
  if (!detail) return 'Das nimmt der Sprachdienst nicht an. Ändere es und versuch es noch einmal.';
  if (/\. \S.*\.$/s.test(detail.msg)) return asMarkdown(detail.msg, 300);
  const field = code(detail.loc.at(-1) ?? 'request');
  return `Das nimmt der Sprachdienst nicht an (${field}: ${asMarkdown(detail.msg, 150)}). Ändere es und versuch es noch einmal.`;
}

function budget({ owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  if (cap === 0) return switchedOff(kind);
  const resets = format.relative(resetsAt);
  const isMember = owner === 'member';
  if (requested > cap) {
    const next = setBy === 'admin' ? 'Server-Admins können es unter `/settings` erhöhen.' : 'Die Betreiber des Bots können es erhöhen.';
    return isMember
      ? `Das ist mehr als dein Tagesbudget: ${amountOf(kind, cap)}. Kürze es. ${next}`
      : `Das ist mehr als das Tagesbudget dieses Servers: ${amountOf(kind, cap)}. Kürze es. ${next}`;
  }
  const name = { speech: 'fürs Sprechen', transcription: 'fürs Mitschreiben' }[kind];
  if (Math.floor(left) < 1)
    return isMember
      ? `Dein Budget ${name} ist für heute aufgebraucht. Es ist ${resets} wieder voll.`
      : `Das Budget dieses Servers ${name} ist für heute aufgebraucht. Es ist ${resets} wieder voll.`;
  return isMember
    ? `Du hast heute noch ${amountOf(kind, left)} übrig, und das hier ist mehr. Kürze es, oder warte: Dein Budget ist ${resets} wieder voll.`
    : `Dieser Server hat heute noch ${amountOf(kind, left)} übrig, und das hier ist mehr. Kürze es, oder warte: Sein Budget ist ${resets} wieder voll.`;
}

function amountOf(kind: SpendingKind, amount: number): string {
  return kind === 'speech'
    ? format.plural(Math.floor(amount), { one: '# Zeichen zum Sprechen', other: '# Zeichen zum Sprechen' })
    : `${format.duration(amount)} zum Mitschreiben`;
}

function switchedOff(kind: SpendingKind): string {
  return {
    speech: `Sprechen ist auf diesem Server abgeschaltet. Server-Admins können es unter ${inlineCode('/settings')}, Budgets, erlauben.`,
    transcription: `Mitschreiben ist auf diesem Server abgeschaltet. Server-Admins können es unter ${inlineCode('/settings')}, Budgets, erlauben.`,
  }[kind];
}
