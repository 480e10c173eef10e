// What /status says, in German.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `klick im Sprachkanal mit rechts auf meinen Namen und dreh die ${bold('Nutzerlautstärke')} auf`;

export const status: Words['status'] = {
  notInGuild: `Hier ist kein Server, auf dem ich Mitglied bin, also auch kein Sprachkanal. Mit ${say} schicke ich dir eine Sprachnachricht.`,
  notInVoice: `Du bist in keinem Sprachkanal. Tritt einem bei und benutze dann ${say}.`,
  speaksElsewhere: (id) => `Ich spreche gerade in ${channelMention(id)}. Komm dazu, um mich zu hören.`,
  stage: (id) => `${channelMention(id)} ist ein Stage-Kanal, und dort kann ich nicht sprechen. Tritt einem Sprachkanal bei.`,
  serverDeaf: 'Die Moderation hat dir auf diesem Server den Ton abgestellt. Bitte sie, das rückgängig zu machen.',
  selfDeaf: 'Du hast dir selbst den Ton abgestellt. Klick auf den Kopfhörer neben deinem Namen.',
  elsewhere: (mine, theirs) =>
    `Ich spreche in ${channelMention(mine)}, du bist aber in ${channelMention(theirs)}. Komm rüber, oder warte, bis ich fertig bin.`,
  missing: (permissions, id) =>
    `Ich brauche ${format.and(permissions.map((name) => bold(name)))} in ${channelMention(id)}. Server-Admins können das in den Kanaleinstellungen erlauben, oder du nimmst einen anderen Kanal.`,
  serverMute: `Ich bin auf diesem Server stummgeschaltet, also hört mich niemand. Hol mich mit ${say} in einen Sprachkanal; dann kann die Moderation mit Rechtsklick auf meinen Namen die Stummschaltung aufheben.`,
  full: (id) => `${channelMention(id)} ist voll. Warte, bis jemand geht, oder nimm einen anderen Kanal.`,
  silent: `Meine Lautstärke steht auf diesem Server auf 0 %. Server-Admins können sie unter ${settings} ändern.`,
  underWay: {
    connecting: 'Ich betrete gerade deinen Sprachkanal. Einen Moment noch.',
    encrypting: 'Ich bin in deinem Sprachkanal und richte die Ende-zu-Ende-Verschlüsselung ein. Einen Moment noch.',
    reconnecting: 'Die Sprachverbindung ist abgebrochen, ich verbinde mich neu. In ein paar Sekunden geht es weiter.',
  },
  stuck: {
    connecting:
      'Discord lässt mich nicht in den Sprachkanal. Versuch es noch einmal. Hilft das nicht, stell in den Kanaleinstellungen eine andere Region ein.',
    encrypting:
      'Die Ende-zu-Ende-Verschlüsselung klappt in deinem Sprachkanal nicht. Bitte alle, den Kanal zu verlassen und neu beizutreten.',
    reconnecting: `Die Sprachverbindung ist abgebrochen und kommt nicht wieder. Benutze ${inlineCode('/leave')} und versuch es dann noch einmal.`,
  },
  moving: 'Ich ziehe gerade auf einen anderen Rechner um. Was ich sage, spreche ich noch zu Ende, dann geht es mit dem Rest weiter.',
  storeGone: `Ich kann meine Daten gerade nicht lesen oder speichern, deshalb geht ${say} nicht. Versuch es in einer Minute noch einmal.\n-# Für die Betreiber: den Datenträger prüfen, oder den gemeinsamen Speicher.`,
  service: (problem) => `Der Sprachdienst funktioniert gerade nicht. ${problem}`,
  others: `Ich spreche gerade für jemand anderen, von dir steht nichts in der Warteschlange. Du hörst nichts? Dann ${louder}.`,
  queued: (before) =>
    format.plural(before, {
      one: `Vor deinem Text ist noch # anderer dran. Mehr unter ${inlineCode('/queue')}.`,
      other: `Vor deinem Text sind noch # andere dran. Mehr unter ${inlineCode('/queue')}.`,
    }),
  speaking: `Ich spreche gerade für dich. Du hörst nichts? Dann ${louder} und prüfe das Ausgabegerät in deinen Spracheinstellungen.`,
  slow: (seconds) => `Alles funktioniert, aber der Sprachdienst ist langsam (${format.duration(seconds)}). Vielleicht fange ich später an.`,
  ready: `Alles funktioniert, und gerade läuft nichts. Probier ${say}. Wenn du mich nicht hörst, ${louder}.`,
  titles: {
    here: 'Dieser Kanal',
    voice: 'Dein Sprachkanal',
    connection: 'Sprachverbindung',
    you: 'Du',
    service: 'Sprachdienst',
    credit: 'Guthaben (das sehen nur die Betreiber)',
    whole: 'Der ganze Bot (das sehen nur die Betreiber)',
  },
  good: (what) => `✓ ${what}`,
  bad: (what, next) => `✗ ${what}: ${next}`,
  permissionNext: 'ein Server-Admin kann es erlauben',
  sendMessages: 'Nachrichten versenden',
  sendMessagesNext: 'nur nötig für Mitschriften, die länger als 15 Minuten dauern; sonst kommen die als Direktnachricht',
  viewChannel: 'Kanal ansehen',
  notMuted: 'Ich bin nicht stummgeschaltet',
  muted: 'Ich bin stummgeschaltet',
  mutedNext: 'die Moderation kann das aufheben',
  room: 'Es ist Platz für mich',
  isFull: 'Er ist voll',
  fullNext: 'warte, bis jemand geht',
  noChannel: 'Keiner. Tritt einem bei, um mich zu hören.',
  isStage: 'Das ist ein Stage-Kanal. Tritt einem Sprachkanal bei.',
  hears: 'Dein Ton ist an',
  deaf: 'Dein Ton ist abgestellt',
  selfDeafNext: 'klick auf den Kopfhörer neben deinem Namen',
  serverDeafNext: 'bitte die Moderation, das aufzuheben',
  allowed: `Du kannst ${say} hier benutzen`,
  notAllowed: `Du kannst ${say} hier nicht benutzen`,
  notConnected: 'Noch keine. Ich verbinde mich, sobald du /say benutzt.',
  connection: {
    connecting: (channel, since) => `${channel}, Beitritt läuft seit: ${since}`,
    encrypting: (channel, since) => `${channel}, Verschlüsselung läuft seit: ${since}`,
    ready: (channel, since) => `${channel}, verbunden ${since}`,
    reconnecting: (channel, since) => `${channel}, abgebrochen ${since}`,
    closed: (channel, since) => `${channel}, beendet ${since}`,
  },
  movingFrom: (channel) => `${channel}, Umzug auf einen anderen Rechner`,
  encrypted: 'Ende-zu-Ende-verschlüsselt',
  notEncrypted: 'Nicht Ende-zu-Ende-verschlüsselt',
  notEncryptedNext: 'außer dir ist niemand da, oder Discord hat es für diesen Anruf abgeschaltet',
  unheard: (members) => `Ich kann den Ton von ${format.plural(members, { one: '# Mitglied', other: '# Mitgliedern' })} nicht entschlüsseln`,
  unheardNext: 'den Sprachkanal verlassen und neu beitreten kann helfen',
  ping: (ms) => `Ping: ${format.number(ms)} ms`,
  queueLength: (length) => `Warteschlange: ${length === 0 ? 'leer' : format.plural(length, { one: '# Text', other: '# Texte' })}`,
  volumeIs: (volume) => `Lautstärke: ${format.percent(volume)}`,
  answered: (ms) => `Antwortet in ${format.number(ms)} ms`,
  fewSessions: (left, until) =>
    `Ich wurde so oft neu gestartet, dass Discord mich bis ${until} nur noch ${format.plural(left, { one: '#-mal', other: '#-mal' })} verbinden lässt. Danach wäre ich bis dahin offline. In meinem Log steht, warum ich neu gestartet wurde.`,
  noCatalogue: 'Er hat keine Liste von Stimmen, deshalb kann ich ihn nicht prüfen, ohne Guthaben zu verbrauchen.',
  noAnswer: (seconds) =>
    `Er hat nicht innerhalb von ${format.plural(seconds, { one: '# Sekunde', other: '# Sekunden' })} geantwortet. Versuch es in einer Minute noch einmal. Hilft das nicht, sag denen Bescheid, die den Bot betreiben.`,
  wholeBot: {
    processes: (count) => format.plural(count, { one: '# Prozess', other: '# Prozesse' }),
    shards: (count) => format.plural(count, { one: '# Shard', other: '# Shards' }),
    servers: (count) => format.plural(count, { one: '# Server', other: '# Server' }),
    speakingIn: (count) => `spricht auf ${format.number(count)}`,
    free: (list, count) => `Kein Prozess hat ${format.plural(count, { one: `Shard ${list}`, other: `die Shards ${list}` })}`,
    freeNext: `dort bekommen die Server keine Antwort; bleibt das so, starte einen weiteren Prozess oder erhöhe ${inlineCode('SHARDS_PER_PROCESS')}`,
    moving: (list, count) =>
      `Unterwegs zu einem anderen Prozess: ${format.plural(count, { one: `Shard ${list}`, other: `Shards ${list}` })}`,
    shardList: (list, count) => format.plural(count, { one: `Shard ${list}`, other: `Shards ${list}` }),
    noShards: 'keine Shards',
    started: (since) => `gestartet ${since}`,
    answersHere: (shard) => `antwortet hier (Shard ${format.number(shard)})`,
    leaving: 'beendet sich',
    serviceDown: 'erreicht den Sprachdienst nicht',
    more: (count) => format.plural(count, { one: 'und # weiterer Prozess', other: 'und # weitere Prozesse' }),
    unknown: 'Ich kann den gemeinsamen Speicher gerade nicht lesen und weiß deshalb nicht, wie es den anderen Prozessen geht.',
  },
};
