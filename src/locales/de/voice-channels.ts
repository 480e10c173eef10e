// Why the bot can't speak in a voice channel, in German.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Kanal ansehen', Connect: 'Verbinden', Speak: 'Sprechen' },
  botNotInGuild: `Sprechen kann ich nur auf Servern, zu denen ich gehöre. Mit ${inlineCode('as_file')} bekommst du den Ton als Datei.`,
  memberNotInVoice: `Du bist in keinem Sprachkanal. Tritt einem bei, oder wähle einen unter ${inlineCode('channel')}.`,
  botNotInVoice: `Ich bin in keinem Sprachkanal. Tritt einem bei und hol mich mit ${inlineCode('/say')} dazu.`,
  stageChannel: (id) => `${channelMention(id)} ist ein Stage-Kanal, und ich spreche nur in Sprachkanälen. Nimm einen Sprachkanal.`,
  memberCannotConnect: (id) =>
    `Du kannst ${channelMention(id)} nicht beitreten, deshalb kann ich dort nicht für dich sprechen. Nimm einen anderen Kanal.`,
  memberCannotSpeak: (id) =>
    `Damit ich in ${channelMention(id)} für dich spreche, brauchst du dort die Berechtigung ${bold('Sprechen')}. Nimm einen anderen Kanal.`,
  memberServerMuted:
    'Die Moderation hat dich in den Sprachkanälen dieses Servers stummgeschaltet. Sobald das aufgehoben ist, spreche ich wieder für dich.',
  missingPermissions: (permissions, id) =>
    `Ich brauche ${format.and(permissions.map((name) => bold(name)))} in ${channelMention(id)}. Server-Admins können das in den Kanaleinstellungen erlauben.`,
  full: (id) => `${channelMention(id)} ist voll. Warte auf einen freien Platz, oder nimm einen anderen Kanal.`,
};
