// Why the bot can't speak in a voice channel, in Polish.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Wyświetlanie kanału', Connect: 'Łączenie', Speak: 'Mówienie' },
  botNotInGuild: `Mówić mogę tylko na serwerach, do których należę. Użyj ${inlineCode('as_file')}, żeby dostać dźwięk jako plik.`,
  memberNotInVoice: `Nie jesteś na kanale głosowym. Dołącz do jakiegoś albo wybierz go w ${inlineCode('channel')}.`,
  botNotInVoice: `Nie jestem na kanale głosowym. Dołącz do jakiegoś i użyj ${inlineCode('/say')}, żeby mnie tam sprowadzić.`,
  stageChannel: (id) => `${channelMention(id)} to scena, a ja mówię tylko na kanałach głosowych. Wybierz kanał głosowy.`,
  memberCannotConnect: (id) => `Nie możesz dołączyć do ${channelMention(id)}, więc nie mogę tam dla ciebie mówić. Wybierz inny kanał.`,
  memberCannotSpeak: (id) => `Żebym mówił na ${channelMention(id)}, potrzebujesz tam uprawnienia ${bold('Mówienie')}. Wybierz inny kanał.`,
  memberServerMuted: 'Moderator wyciszył cię na kanałach głosowych tego serwera. Gdy to cofnie, znów będę dla ciebie mówić.',
  missingPermissions: (permissions, id) =>
    `Potrzebuję uprawnień: ${format.and(permissions.map((name) => bold(name)))} na ${channelMention(id)}. Administratorzy serwera mogą je przyznać w ustawieniach kanału.`,
  full: (id) => `${channelMention(id)} jest pełny. Poczekaj na wolne miejsce albo wybierz inny kanał.`,
};
