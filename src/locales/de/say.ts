// What /say and the buttons of its replies say, in German.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { one: '# Zeichen', other: '# Zeichen' });

export const say: Words['say'] = {
  noText: `Da gibt es nichts zu sagen. Schreib ein paar Worte in ${inlineCode('text')}.`,
  nothingSpeakable: 'In diesem Text ist nichts, das man aussprechen kann. Schreib mindestens ein Wort oder eine Zahl.',
  andSoOn: 'und so weiter',
  unknownVoice: (voice, closest) =>
    closest.length === 0
      ? `Ich finde keine Stimme namens ${code(voice)}. Such dir eine aus der Liste aus, oder stöbere in ${inlineCode('/voices')}.`
      : `Ich finde keine Stimme namens ${code(voice)}. Such dir eine aus der Liste aus, oder stöbere in ${inlineCode('/voices')}. Am nächsten kommen ${format.and(closest.map((title) => code(title)))}.`,
  voiceReplaced: (gone, used) =>
    `Die Stimme ${code(gone)} kann ich hier nicht benutzen, deshalb habe ich ${code(used)} genommen. Such dir in ${inlineCode('/voices')} eine andere aus.`,
  voiceIsYours: `Sie gehört dir: ${inlineCode('/voice mine')} zeigt, was mit ihr nicht stimmt.`,
  voiceNotHere: `Diese Stimme kann ich hier nicht benutzen. Such dir in ${inlineCode('/voices')} eine andere aus.`,
  speedUnsupported: `Dieser Sprachdienst kann das Tempo nicht ändern. Versuch es mit ${inlineCode('speed')} 1; das merke ich mir.`,
  tooSlow: (count) =>
    `Das ist für diese Stimme auf diesem Rechner zu lang. Kürze es auf etwa ${characters(count)} oder nimm eine schnellere Stimme.`,
  textGone: `Diesen Text habe ich nicht mehr. Tippe ihn mit ${inlineCode('/say')} noch einmal.`,
  confirm: (count, share) => `Das würde etwa ${format.percent(share)} des übrigen Guthabens kosten (${characters(count)}). Trotzdem sagen?`,
  tooExpensive: (count, share) =>
    `Das würde etwa ${format.percent(share)} des übrigen Guthabens kosten (${characters(count)}). Sag es in kürzeren Teilen.`,
  confirmMaking: (count) => `Der Ton ist nicht mehr gespeichert. Ihn neu zu machen würde ${characters(count)} vom Guthaben kosten. Machen?`,
  confirmButton: 'Sagen',
  makeButton: 'Machen',
  stopButton: 'Stopp',
  skipButton: 'Überspringen',
  cancelButton: 'Abbrechen',
  moreMenu: 'Und jetzt?',
  replay: 'Noch einmal',
  saveAsFile: 'Als Datei speichern',
  sendAsVoiceMessage: 'Als Sprachnachricht senden',
  sayMore: 'Mehr sagen',
  showText: 'Ganzen Text zeigen',
  sayMoreTitle: (voice) => `Mehr sagen: ${voice}`,
  sayMoreLabel: 'Was soll ich sagen?',
  textHidden: 'Auf diesem Server bleibt der Text verborgen.',
  recentVoice: 'zuletzt benutzt',
  favouriteVoice: 'Favorit',
  fileTooLarge: (limit) =>
    `Die Datei wäre größer als ${format.megabytes(limit)}, Discords Grenze hier. Versuch es mit einem kürzeren Text.`,
  voiceMessageInstead: 'Sprechen kann ich nur auf Servern, zu denen ich gehöre. Deshalb kommt hier eine Sprachnachricht.',
  voiceMessageForbidden: 'Ich darf hier keine Sprachnachrichten senden (Sprachnachrichten senden), deshalb kommt der Ton als Datei.',
  voiceMessageRefused: 'Discord hat das nicht als Sprachnachricht angenommen, deshalb kommt der Ton als Datei.',
  voiceMessageTooLong: (minutes) =>
    `Sprachnachrichten dürfen höchstens ${format.plural(minutes, { one: '# Minute', other: '# Minuten' })} dauern, deshalb kommt der Ton als Datei.`,
  nobodyThere: (channelId) => `In ${channelMention(channelId)} ist gerade niemand.`,
  speed: (factor) => `${format.number(factor, 2)}×`,
  inChannel: (channelId) => channelMention(channelId),
  speaking: 'Ich spreche gerade',
  queued: (before) =>
    before === 1 ? 'Als Nächstes dran' : format.plural(before, { one: 'Noch # Text vorher', other: 'Noch # Texte vorher' }),
  interrupted: (seconds) => `Nach ${format.duration(seconds)} abgebrochen`,
  interruptedByRestart: 'Ich wurde neu gestartet, bevor das fertig war',
  notSpoken: 'Nicht gesprochen',
  spoken: (seconds) => `In ${format.duration(seconds)} gesprochen`,
  shortened: 'auf die Grenze dieses Servers gekürzt',
  characters,
  fromCache: 'gespeichert, also kostenlos',
  cachedSoundGone: (budget) =>
    `Der gespeicherte Ton wurde gelöscht, während dieser Text gewartet hat, deshalb ist er nicht mehr kostenlos. ${budget}`,
  skipped: 'Übersprungen',
  stopped: 'Gestoppt',
  cancelled: 'Abgebrochen',
  cancelledCharged: (count) => `Abgebrochen. Der Sprachdienst hatte ihn schon gesprochen, ${characters(count)} zählen deshalb trotzdem`,
  chargedUnheard: (count) => `Der Sprachdienst hatte den Text schon gesprochen, ${characters(count)} zählen deshalb trotzdem.`,
  defaultVoice: 'Standardstimme',
};

// What /queue, /skip, /stop and /leave say, in German.

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'Die Warteschlange ist mit # Text voll. Versuch es gleich noch einmal.',
      other: 'Die Warteschlange ist mit # Texten voll. Versuch es gleich noch einmal.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Von dir ist schon # Text in der Warteschlange. Warte, bis er fertig ist, oder verwirf ihn mit ${inlineCode('/stop')}.`,
      other: `Von dir sind schon # Texte in der Warteschlange. Warte, bis einer fertig ist, oder verwirf sie mit ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Nur ${userMention(ownerId)} oder die Moderation kann das überspringen.`,
  onlyOwnerCanStop: (ownerId) => `Nur ${userMention(ownerId)} oder die Moderation kann das stoppen.`,
  onlyOwnerCanUse: (ownerId) => `Das kann nur ${userMention(ownerId)} oder die Moderation.`,
  onlyModerators: 'Das kann nur die Moderation.',
  empty: 'Gerade läuft nichts.',
  nothingToStop: 'Von dir läuft oder wartet kein Text.',
  othersWaiting: `Andere haben noch Texte in der Warteschlange, deshalb kann mich nur die Moderation wegschicken. Dazu gehört, wer in meinem Sprachkanal ${bold('Mitglieder stummschalten')} oder ${bold('Nachrichten verwalten')} darf.`,
  skipped: (ownerId) => `Der Text von ${userMention(ownerId)} ist übersprungen.`,
  skippedOwn: 'Dein Text ist übersprungen.',
  stopped: (count) => format.plural(count, { one: 'Gestoppt. Ich habe # Text verworfen.', other: 'Gestoppt. Ich habe # Texte verworfen.' }),
  left: (channelId) => `Ich habe ${channelMention(channelId)} verlassen.`,
  nowPlaying: 'Läuft gerade',
  upNext: 'Danach',
  starting: 'Fängt an …',
  timeLeft: (seconds) => `Noch etwa ${format.duration(seconds)}`,
  almostDone: 'Fast fertig',
  lasts: (seconds) => `etwa ${format.duration(seconds)}`,
  removeButton: 'Entfernen',
  alreadyGone: 'Dieser Text ist nicht mehr in der Warteschlange.',
  pageOf: (page, pages) => `Seite ${format.number(page)} von ${format.number(pages)}`,
};
