// What a moderator does to other members, and a member to their own nickname: rename, mute, deafen, move, disconnect and time out.
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { DiscordError } from '../errors.ts';
import type { Methods } from '../page/protocol.ts';
import type { VoiceServer } from '../voice/types.ts';
import { editMember } from '../world/moderation.ts';
import type { World } from '../world/world.ts';

const SENTENCES: Record<number, string> = {
  [RESTJSONErrorCodes.InvalidFormBodyOrContentType]: 'A nickname has 32 characters at most.',
  [RESTJSONErrorCodes.MissingPermissions]: "You don't have the permission for that.",
  [RESTJSONErrorCodes.TargetUserIsNotConnectedToVoice]: "They aren't in a voice channel.",
};

/** @throws Error with a sentence for the member */
export function moderate(world: World, voice: VoiceServer, moderatorId: string, params: Methods['edit_member']['params']): null {
  const { guild_id, user_id, ...changes } = params;
  const guild = world.guilds.get(guild_id);
  const member = guild?.members.get(user_id);
  if (!guild?.members.has(moderatorId) || !member) throw new Error('This member is gone.');
  try {
    editMember(world, voice, guild, moderatorId, member, changes);
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    throw new Error(SENTENCES[error.code] ?? error.message);
  }
  return null;
}
