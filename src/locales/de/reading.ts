// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading, in German.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));

export const reading: Words['reading'] = {
  noAccess: `Discord lässt mich keine Nachrichten lesen. Die Betreiber des Bots können im Entwicklerportal ${bold('Message Content Intent')} einschalten und mich neu starten. Bis dahin kann ich nur einzelne Nachrichten vorlesen, mit ${bold('Read this aloud')}.`,
  notInGuild: 'Kanäle vorlesen kann ich nur auf Servern, zu denen ich gehöre. Bitte einen Admin, mich hier hinzuzufügen.',
  notAllowed: (roles) =>
    roles.length === 0
      ? `Um das Vorlesen zu starten oder zu beenden, brauchst du ${bold('Server verwalten')}. Admins können es unter ${settings} weiteren Rollen erlauben.`
      : `Um das Vorlesen zu starten oder zu beenden, brauchst du ${bold('Server verwalten')} oder ${format.or(roles.map(roleMention))}. Ein Admin kann dir die Rolle geben.`,
  privateThread: `Private Threads lese ich nicht vor, weil auch Leute sie hören würden, die nicht eingeladen sind. Benutze ${start} in einem Kanal.`,
  noVoiceChannel: `Du bist in keinem Sprachkanal. Tritt einem bei, oder wähle einen unter ${inlineCode('voice_channel')}.`,
  cannotSeeVoice: 'Diesen Sprachkanal kannst du nicht sehen. Nimm einen anderen.',
  cannotSeeText: (id) => `Du kannst ${channelMention(id)} nicht sehen, also kannst du ihn auch nicht vorlesen lassen.`,
  iCannotSee: (id) =>
    `Ich sehe nicht, was in ${channelMention(id)} geschrieben wird. Ein Server-Admin kann mir dort ${bold('Kanal ansehen')} erlauben.`,
  alreadyReading: (text, voice) => `${channelMention(text)} lese ich in ${channelMention(voice)} schon vor.`,
  readingElsewhere: (texts, voice) =>
    `In ${channelMention(voice)} hören gerade Leute zu, wie ich ${channels(texts)} vorlese, und ich kann immer nur in einem Sprachkanal sein. Benutze erst ${stop}, oder nimm diesen Sprachkanal.`,
  exposed: (who, text, voice) =>
    `${bold('Manche, die diesen Kanal nicht sehen, würden ihn hören.')}\n${channelMention(voice)} beitreten, aber ${channelMention(text)} nicht sehen können: ${format.and(who)}. Trotzdem vorlesen?`,
  everyone: 'alle',
  others: (count) => format.plural(count, { one: '# weitere', other: '# weitere' }),
  startAnyway: 'Trotzdem vorlesen',
  cancel: 'Abbrechen',
  cancelled: 'In Ordnung, ich lese ihn nicht vor.',
  startedAnyway: 'In Ordnung, ich lese ihn vor.',
  started: (member, text, voice) =>
    `${userMention(member)} hat das Vorlesen eingeschaltet: Was in ${channelMention(text)} geschrieben wird, lese ich jetzt allen in ${channelMention(voice)} vor.`,
  resumed: (member, text, voice) =>
    `${userMention(member)} hat mich zurückgeholt: Was in ${channelMention(text)} geschrieben wird, lese ich allen in ${channelMention(voice)} wieder vor.`,
  optOut: `Sollen deine Nachrichten nicht vorgelesen werden? Benutze ${inlineCode('/read me off')}.`,
  skipOne: (prefix) => `Eine einzelne Nachricht lasse ich aus, wenn sie mit ${code(prefix)} anfängt.`,
  stopped: (member, texts) => `${userMention(member)} hat das Vorlesen für ${channels(texts)} ausgeschaltet.`,
  stoppedAlways: `Eingestellt ist, dass immer vorgelesen wird: Ich komme wieder, sobald alle den Sprachkanal verlassen haben und jemand neu beitritt. Admins können das unter ${settings} ändern.`,
  notReading: `Ich lese gerade keinen Kanal vor. Los geht es mit ${start}.`,
  stillReading: `Neue Nachrichten lese ich weiter vor. Das beendet ${stop}.`,
  pausedReading: `Ich lese weiter vor, sobald alle den Sprachkanal verlassen haben und jemand neu beitritt, oder mit ${start}.`,
  leaveStops: (texts) => `Ich lese hier gerade ${channels(texts)} vor, und das würde damit enden.`,
  meOff: (dropped) =>
    dropped === 0
      ? 'Erledigt. Deine Nachrichten lese ich nicht mehr vor, auf keinem Server.'
      : `Erledigt. Deine Nachrichten lese ich nicht mehr vor, auf keinem Server. ${format.plural(dropped, { one: '# wartende habe ich verworfen.', other: '# wartende habe ich verworfen.' })}`,
  meOn: 'Erledigt. Deine Nachrichten lese ich wieder vor, wo das eingeschaltet ist.',
  mutedHere: `Auf diesem Server hat die Moderation das Vorlesen für dich abgeschaltet. Frag einen Admin: Mit ${bold('Stop reading this member')} oder unter ${settings} lässt sich das aufheben.`,
  authorOptedOut: (id) => `${userMention(id)} möchte nicht, dass eigene Nachrichten vorgelesen werden.`,
  authorMuted: (id) => `Nachrichten von ${userMention(id)} werden auf diesem Server nicht vorgelesen. Das ist so eingestellt.`,
  nothingToRead: 'In dieser Nachricht steht nichts, was ich vorlesen kann. Nimm eine mit Worten.',
  messageGone: 'Die Nachricht wurde gelöscht, bevor ich sie vorlesen konnte.',
  readsMessage: (author, link) => `Lässt die [Nachricht](${link}) von ${userMention(author)} vorlesen`,
  muted: (id) =>
    `Erledigt. Nachrichten von ${userMention(id)} lese ich nicht mehr vor, und ${inlineCode('/say')} geht für dieses Mitglied auch nicht mehr. Admins können das mit diesem Befehl oder unter ${settings} aufheben.`,
  unmuted: (id) => `Erledigt. Nachrichten von ${userMention(id)} lese ich wieder vor, und ${inlineCode('/say')} geht wieder.`,
  onlyAdminsUnmute: (id) =>
    `Nachrichten von ${userMention(id)} lese ich schon nicht mehr vor. Aufheben können das nur Admins, mit diesem Befehl oder unter ${settings}.`,
  cannotMuteMe: 'Meine eigenen Nachrichten lese ich nicht vor. Nimm jemand anderen.',
  status: {
    title: 'Vorlesen',
    reads: (text, voice) => `Ich lese ${channelMention(text)} in ${channelMention(voice)} vor.`,
    readsAlways: (text, voice) => `Ich lese ${channelMention(text)} immer in ${channelMention(voice)} vor.`,
    paused: {
      leave: `Ich lese gerade nicht vor: Jemand hat mich mit ${inlineCode('/leave')} aus dem Sprachkanal geschickt. Ich komme wieder, sobald alle ihn verlassen haben und jemand neu beitritt, oder mit ${start}.`,
      disconnect: `Ich lese gerade nicht vor: Die Moderation hat mich aus dem Sprachkanal entfernt. Ich komme wieder, sobald alle ihn verlassen haben und jemand neu beitritt, oder mit ${start}.`,
    },
    stopped: (texts) =>
      `Ich lese ${channels(texts)} immer vor, aber jemand hat das mit ${stop} ausgeschaltet. Ich komme wieder, sobald alle den Sprachkanal verlassen haben und jemand neu beitritt, oder mit ${start}.`,
    nothing: `Ich lese gerade keinen Kanal vor. Benutze ${start} in dem, den ich vorlesen soll.`,
    nothingWaits: 'Es wartet nichts',
    waiting: (messages, delay) =>
      `${format.plural(messages, { one: '# Nachricht wartet', other: '# Nachrichten warten' })}; eine neue hört man in etwa ${format.duration(delay)}`,
    faster: (factor) => `Ich spreche ${format.number(factor, 1)}-mal so schnell, um mitzukommen`,
    nameless: 'Namen lasse ich weg, um mitzukommen',
    skipped: (count) =>
      format.plural(count, {
        one: '# Nachricht habe ich ausgelassen, um mitzukommen',
        other: '# Nachrichten habe ich ausgelassen, um mitzukommen',
      }),
    left: (characters, resets) =>
      characters === null
        ? 'Für diesen Server gibt es kein Tageslimit'
        : `Heute noch für diesen Server: ${format.plural(characters, { one: '# Zeichen', other: '# Zeichen' })} (neu ${resets})`,
    usedUp: (resets) => `Dieser Server hat für heute alles verbraucht. Weiter geht es ${resets}.`,
    optedOut: `Du möchtest nicht vorgelesen werden, also lese ich deine Nachrichten nicht. ${inlineCode('/read me on')} macht das rückgängig.`,
    slowVoice: (title) =>
      `${title} ist auf diesem Rechner zu langsam zum Vorlesen, also lese ich deine Nachrichten mit einer anderen Stimme.`,
    problem: (sentence, at) => `Letztes Problem, ${at}: ${sentence}`,
    titles: { now: 'Gerade jetzt', here: 'In', you: 'Du' },
    viewChannelNext: 'ohne das bekomme ich keine Nachrichten; ein Server-Admin kann es erlauben',
    optional: {
      SendMessages: 'ohne das kann ich hier nicht schreiben, warum man etwas nicht hört',
      AddReactions: 'ohne das kann ich nicht markieren, was man nicht hört',
      ReadMessageHistory: 'ohne das kann ich nicht markieren, was man nicht hört, und nichts Weitergeleitetes vorlesen',
    },
    permissionNames: {
      SendMessages: 'Nachrichten senden',
      AddReactions: 'Reaktionen hinzufügen',
      ReadMessageHistory: 'Nachrichtenverlauf anzeigen',
    },
  },
  panel: {
    always: 'Immer vorlesen',
    pair: (text, voice) => `${text} in ${voice}`,
    alwaysMenu: 'Immer vorlesen: Sprachkanal wählen, in dem',
    textMenu: 'Textkanäle, die dort immer vorgelesen werden',
    who: {
      everyone: 'Nachrichten von allen vorlesen',
      listeners: 'Nur, wer im Sprachkanal ist',
    },
    optionsMenu: 'Weder Namen noch Bots noch Reaktionen',
    options: {
      names: { label: 'Sagen, wer schreibt', description: 'Einmal, wenn jemand anderes schreibt' },
      bots: { label: 'Bots vorlesen', description: 'Auch Nachrichten von anderen Bots und Webhooks' },
      reactions: { label: 'Markieren, was man nicht hört', description: 'Mit einer Reaktion auf die Nachricht' },
    },
    roles: 'Rollen, die vorgelesen werden',
    rolesMenu: 'Rollen, die vorgelesen werden (keine = alle)',
    readerRoles: 'Dürfen starten und beenden',
    readerRolesMenu: 'Weitere Rollen, die das dürfen',
    adminsOnly: 'nur Admins',
    delay: 'Neue Nachrichten hört man binnen',
    seconds: (count) => format.plural(count, { one: '# Sekunde', other: '# Sekunden' }),
    prefix: 'Nicht vorgelesen, wenn am Anfang steht',
    formTitle: 'Vorlesen',
    delayLabel: 'Sekunden, bis man eine Nachricht hört',
    delayHint: (least, most, usual) =>
      `${format.number(least)} bis ${format.number(most)}. Leer = ${format.number(usual)}. Wird es mehr, lasse ich welche aus.`,
    prefixLabel: 'Auslassen, was so anfängt',
    prefixHint: 'Leer = alle Nachrichten vorlesen',
  },
};

// What is said while a channel is read aloud, in German.

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# Nachricht übersprungen.', other: '# Nachrichten übersprungen.' }),
  goesOn: 'Sobald es wieder geht, mache ich mit neuen Nachrichten weiter.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Dieser Server hat heute ${format.percent(share)} seines Budgets fürs Sprechen verbraucht. Zum Vorlesen und für ${inlineCode('/say')} bleibt # Zeichen.`,
      other: `Dieser Server hat heute ${format.percent(share)} seines Budgets fürs Sprechen verbraucht. Zum Vorlesen und für ${inlineCode('/say')} bleiben # Zeichen.`,
    }),
  channelGone: 'Den Sprachkanal gibt es nicht mehr, deshalb lese ich diesen Kanal nicht mehr vor.',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud, in German.

export const heard: Words['heard'] = {
  inPlace: { link: 'Link', spoiler: 'Spoiler', someone: 'jemand', role: 'eine Rolle', channel: 'ein Kanal' },
  code: 'Code',
  linkTo: (site) => `Link zu ${site}`,
  messageLink: 'Link zu einer Nachricht',
  gif: 'ein GIF',
  repeated: (emoji, count) => (count === 2 ? `zweimal ${emoji}` : `${format.number(count)} Mal ${emoji}`),

  says: (name, text) => `${name} sagt: ${text}`,
  saysTo: (name, to, text) => `${name} an ${to}: ${text}`,
  to: (to, text) => `an ${to}: ${text}`,
  sends: (name, what) => `${name} schickt: ${what}`,
  with: (what) => `dazu ${what}`,
  forwarded: (text) => `eine weitergeleitete Nachricht: ${text}`,
  forwardedUnread: 'eine weitergeleitete Nachricht',
  pictures: (count) => format.plural(count, { one: 'ein Bild', other: '# Bilder' }),
  gifs: (count) => format.plural(count, { one: 'ein GIF', other: '# GIFs' }),
  videos: (count) => format.plural(count, { one: 'ein Video', other: '# Videos' }),
  sounds: (count) => format.plural(count, { one: 'eine Audiodatei', other: '# Audiodateien' }),
  files: (count) => format.plural(count, { one: 'eine Datei', other: '# Dateien' }),
  voiceMessage: (seconds) => (seconds === null ? 'eine Sprachnachricht' : `eine Sprachnachricht, ${format.duration(seconds)}`),
  sticker: (name) => `der Sticker ${name}`,
  poll: (question) => `eine Umfrage: ${question}`,
  and: format.and,
  or: format.or,
};
