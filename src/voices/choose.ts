// A voice as one's own, as a favourite, or for the server: chosen, and given up again.

import type { VoiceModel } from '../api/index.ts';
import { isAdmin } from '../bot/access.ts';
import type { ComponentInteraction } from '../bot/command.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import type { ChosenVoice } from '../settings/index.ts';
import type { VoicesContext } from './context.ts';
import type { Choice, Choices } from './detail.ts';
import { canSpeak, titleOf } from './find.ts';

/** As many as a menu of choices has room for. */
const MAX_FAVOURITES = 25;

type Asked = Pick<ComponentInteraction, 'user' | 'guildId' | 'memberPermissions'>;

/** How it stands with this voice, as this member may know. @throws StoreError */
export async function choicesOf({ user, guildId, memberPermissions }: Asked, { settings }: VoicesContext, id: string): Promise<Choices> {
  const [member, guild] = await Promise.all([settings.member(user.id), guildId === null ? null : settings.guild(guildId)]);
  return {
    mine: member.voice?.id === id,
    favourite: member.favourites.some((voice) => voice.id === id),
    server: guild && isAdmin(memberPermissions) ? guild.voice?.id === id : null,
  };
}

/**
 * Chooses the voice, or takes the choice back where it stands; says how it stands now. Only a choice asks `find` for the voice as it
 * is now: what was deleted can be given up. @throws UserError, StoreError, what `find` throws
 */
export async function choose(
  interaction: Asked,
  context: VoicesContext,
  choice: Choice,
  id: string,
  find: () => Promise<VoiceModel>,
): Promise<boolean> {
  const { user, guildId } = interaction;
  const { settings } = context;
  const { [choice]: isChosen } = await choicesOf(interaction, context, id);
  if (isChosen === null || (choice === 'server' && guildId === null)) throw new UserError(en.voices.serverVoiceForAdmins);
  const voice = isChosen ? null : toChosen(await find());
  if (choice === 'favourite') {
    await settings.changeMember(user.id, (member) => {
      const others = member.favourites.filter((favourite) => favourite.id !== id);
      return { ...member, favourites: voice ? [voice, ...others].slice(0, MAX_FAVOURITES) : others };
    });
  } else if (choice === 'mine') {
    await settings.changeMember(user.id, (member) => ({ ...member, voice }));
  } else if (guildId !== null) {
    await settings.changeGuild(guildId, (guild) => ({ ...guild, voice }));
  }
  return !isChosen;
}

/** @throws UserError where no text can be spoken in it */
function toChosen(model: VoiceModel): ChosenVoice {
  const title = titleOf(model);
  if (!canSpeak(model)) throw new UserError(en.voices.cannotSpeak(title));
  return { id: model.id, title };
}
