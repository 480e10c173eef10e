// What members read when something failed, in German.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api: {
    auth: 'Der Sprachdienst nimmt meinen Schlüssel nicht an. Darum müssen sich die Betreiber des Bots kümmern.',
    credit: 'Das Guthaben beim Sprachdienst ist aufgebraucht. Die Betreiber des Bots müssen es aufladen.',
    'not-found': 'Der Sprachdienst findet das nicht. Prüfe, was du ausgewählt hast, und versuch es noch einmal.',
    'rate-limited': (again) => `Der Sprachdienst hat viel zu tun. Versuch es ${again} noch einmal.`,
    server: (again) => `Der Sprachdienst hat Probleme. Versuch es ${again} noch einmal.`,
    timeout: (again) => `Der Sprachdienst hat zu lange gebraucht. Versuch es ${again} noch einmal.`,
    aborted: 'Das wurde beendet, bevor der Sprachdienst geantwortet hat. Versuch es noch einmal.',
    protocol: 'Mit der Antwort des Sprachdienstes kann ich nichts anfangen. Versuch es in einer Minute noch einmal.',
  },
  brokenOff: 'Die Antwort des Sprachdienstes brach ab. Versuch es in einer Minute noch einmal.',
  inAMinute: 'in einer Minute',
  unreachable: (again) => `Ich erreiche den Sprachdienst nicht. Versuch es ${again} noch einmal.`,
  down: (since, again) => `Der Sprachdienst ist ausgefallen (${since} bemerkt). Versuch es ${again} noch einmal.`,
  refused: 'Das nimmt der Sprachdienst nicht an. Ändere es und versuch es noch einmal.',
  refusedField: (field, reason) => `Das nimmt der Sprachdienst nicht an (${field}: ${reason}). Ändere es und versuch es noch einmal.`,
  maybeCharged: 'Es zählt trotzdem als verbraucht, weil der Dienst es berechnet haben könnte.',
  unsupported: {
    catalogue: `Dieser Sprachdienst hat keine Liste von Stimmen. Wenn du die ID einer Stimme kennst, benutze sie in ${inlineCode('/say')}.`,
    transcription: 'Dieser Sprachdienst kann nicht mitschreiben, er spricht nur.',
    credit: 'Dieser Sprachdienst verrät kein Guthaben.',
    speech: `Dieser Sprachdienst kann nicht sprechen. Die Betreiber des Bots können ${code('VOICE_API_URL')} prüfen.`,
    'live-speech': 'Dieser Sprachdienst kann nicht in Echtzeit sprechen. Versuch es noch einmal.',
    'own-voices': 'Dieser Sprachdienst kann keine Stimmen erstellen.',
  },
  voice: {
    busy: 'Ich spreche gerade in einem anderen Kanal dieses Servers. Komm dorthin, oder versuch es, wenn ich fertig bin.',
    hearing: 'Ich untertitle gerade einen anderen Kanal dieses Servers. Komm dorthin, oder versuch es, wenn die Untertitel beendet sind.',
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
    'sending-failed':
      'Bei mir ist etwas schiefgegangen und der Ton konnte nicht gesendet werden, deshalb habe ich den Sprachkanal verlassen. Versuch es noch einmal. Passiert es wieder, sag denen Bescheid, die den Bot betreiben.',
    closing: 'Ich starte gerade neu, deshalb wurde das nicht fertig. Versuch es in einer Minute noch einmal.',
    disconnected:
      'Ich habe den Sprachkanal verlassen, deshalb ist die Warteschlange jetzt leer. Versuch es noch einmal, dann komme ich wieder.',
    refused: 'Discord hat die Sprachverbindung abgelehnt. Versuch es in einem anderen Kanal.',
  },
  status: (status) => `Status ${status}`,
  request: (id) => `Anfrage ${code(id)}`,
  code: (code) => `Code ${code}`,
  budget: {
    switchedOff: {
      speech: `Sprechen ist auf diesem Server abgeschaltet. Server-Admins können es unter ${inlineCode('/settings')}, Budgets, erlauben.`,
      transcription: `Mitschreiben ist auf diesem Server abgeschaltet. Server-Admins können es unter ${inlineCode('/settings')}, Budgets, erlauben.`,
    },
    overCap: {
      member: (cap) => `Das ist mehr als dein Tagesbudget: ${cap}. Kürze es.`,
      guild: (cap) => `Das ist mehr als das Tagesbudget dieses Servers: ${cap}. Kürze es.`,
    },
    raise: { admin: 'Server-Admins können es unter `/settings` erhöhen.', operator: 'Die Betreiber des Bots können es erhöhen.' },
    usedUp: {
      member: {
        speech: (resets) => `Dein Budget fürs Sprechen ist für heute aufgebraucht. Es ist ${resets} wieder voll.`,
        transcription: (resets) => `Dein Budget fürs Mitschreiben ist für heute aufgebraucht. Es ist ${resets} wieder voll.`,
      },
      guild: {
        speech: (resets) => `Das Budget dieses Servers fürs Sprechen ist für heute aufgebraucht. Es ist ${resets} wieder voll.`,
        transcription: (resets) => `Das Budget dieses Servers fürs Mitschreiben ist für heute aufgebraucht. Es ist ${resets} wieder voll.`,
      },
    },
    left: {
      member: (left, resets) =>
        `Du hast heute noch ${left} übrig, und das hier ist mehr. Kürze es, oder warte: Dein Budget ist ${resets} wieder voll.`,
      guild: (left, resets) =>
        `Dieser Server hat heute noch ${left} übrig, und das hier ist mehr. Kürze es, oder warte: Sein Budget ist ${resets} wieder voll.`,
    },
  },
  amount: {
    speech: (characters) => format.plural(characters, { one: '# Zeichen zum Sprechen', other: '# Zeichen zum Sprechen' }),
    transcription: (seconds) => `${format.duration(seconds)} zum Mitschreiben`,
  },
  unexpected: (reference) =>
    `Bei mir ist etwas schiefgegangen. Versuch es noch einmal. Passiert es wieder, sag denen Bescheid, die den Bot betreiben.\n-# Kennung ${code(reference)}`,
  storeFailed:
    'Ich kann meine Daten gerade nicht lesen oder speichern, deshalb hat sich nichts geändert. Versuch es in einer Minute noch einmal.\n-# Für die Betreiber: den Datenträger prüfen, oder den gemeinsamen Speicher.',
  discordFailed: (status) =>
    `Discord hat gerade Probleme, deshalb kam meine Antwort nicht an. Versuch es in einer Minute noch einmal.\n-# Status ${status}`,
  discordBusy: (at) => `Ich bin an eine Grenze von Discord gestoßen. Versuch es ${format.relative(at)} noch einmal.`,
  noPermission: 'Discord lässt mich das hier nicht tun. Server-Admins können meine Berechtigungen in diesem Kanal prüfen.',
  badAudio: 'Der Sprachdienst hat etwas geschickt, das kein Ton ist. Versuch es noch einmal, oder nimm eine andere Stimme.',
  endlessAudio: 'Die Stimme hörte nicht auf zu reden, also habe ich sie beendet. Versuch es noch einmal, oder nimm eine andere Stimme.',
  brokenAudio: 'Der Ton vom Sprachdienst brach ab. Versuch es noch einmal, oder nimm eine andere Stimme.',
};
