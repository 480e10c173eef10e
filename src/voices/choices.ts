// Choosing a voice as one's own, as a favourite or for the server, and giving it up again.

import type { VoiceModel } from '../api/index.ts';
import { isAdmin } from '../bot/access.ts';
import type { ComponentInteraction } from '../bot/command.ts';
import { UserError } from '../bot/user-error.ts';
import type { ChosenVoice } from '../settings/index.ts';
import { canSpeak, titleOf } from './catalogue.ts';
import type { VoicesContext } from './context.ts';
import type { Choice, Choices } from './detail.ts';

/** Most favourites: as many as a select menu has options. */
const MAX_FAVOURITES = 25;

type Chooser = Pick<ComponentInteraction, 'user' | 'guildId' | 'memberPermissions'>;

/** What this voice is chosen as, as far as this member may know. @throws StoreError */
export async function readChoices(
  { user, guildId, memberPermissions }: Chooser,
  { settings }: VoicesContext,
  id: string,
): Promise<Choices> {
  const [member, guild] = await Promise.all([settings.member(user.id), guildId === null ? null : settings.guild(guildId)]);
  return {
    mine: member.voice?.id === id,
    favourite: member.favourites.some((voice) => voice.id === id),
    server: guild && isAdmin(memberPermissions) ? guild.voice?.id === id : null,
  };
}

/**
 * Chooses the voice, or gives it up if it was chosen; returns whether it is chosen now. `find` is called only to choose it, so that a
 * deleted voice can be given up. @throws UserError, StoreError, whatever `find` throws
 */
export async function toggleChoice(
  interaction: Chooser,
  context: VoicesContext,
  choice: Choice,
  id: string,
  find: () => Promise<VoiceModel>,
): Promise<boolean> {
  const { [choice]: isChosen } = await readChoices(interaction, context, id);
  if (isChosen === null) throw new UserError((t) => t.voices.serverVoiceForAdmins);
  if (isChosen) await save(interaction, context, choice, id, null);
  else await chooseVoice(interaction, context, choice, await find());
  return !isChosen;
}

/** @throws UserError if the voice cannot speak; StoreError */
export async function chooseVoice(interaction: Chooser, context: VoicesContext, choice: Choice, model: VoiceModel): Promise<void> {
  const title = titleOf(model);
  if (!canSpeak(model)) throw new UserError((t) => t.voices.cannotSpeak(title));
  await save(interaction, context, choice, model.id, { id: model.id, title });
}

/** @param voice null = none, or no longer a favourite */
async function save(
  { user, guildId }: Chooser,
  { settings }: VoicesContext,
  choice: Choice,
  id: string,
  voice: ChosenVoice | null,
): Promise<void> {
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
}
