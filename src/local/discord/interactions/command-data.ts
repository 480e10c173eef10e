// What an interaction says of the command that a member uses: its options, or the message or user that it was used on.
// https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-application-command-data-structure
import { type APIApplicationCommand, type APIAttachment, ApplicationCommandType } from 'discord-api-types/v10';
import type { FilledOption } from '../page/protocol.ts';
import { type Channel, findMessage, guildOf, isDm, type World } from '../world/index.ts';
import { asMessage, asResolvedMember } from '../world/payloads.ts';
import { readOptions } from './commands.ts';

/** `isComplete`: the member still types. @throws Error with a sentence for the member */
export function readCommand(
  world: World,
  userId: string,
  channel: Channel,
  command: APIApplicationCommand,
  filled: { options?: FilledOption[]; target_id?: string },
  findUpload: (id: string) => APIAttachment | undefined,
  isComplete = false,
): object {
  const { id, name, type, guild_id } = command;
  const { options = [], target_id = '' } = filled;
  const base = { id, name, type, ...(guild_id !== undefined && { guild_id }) };
  if (type === ApplicationCommandType.Message) {
    const target = findMessage(world, channel.id, target_id, userId);
    if (!target) throw new Error('The message is gone.');
    return { ...base, target_id, resolved: { messages: { [target.id]: asMessage(target) } } };
  }
  if (type === ApplicationCommandType.User) return { ...base, target_id, resolved: resolveUser(world, channel, target_id) };
  return { ...base, ...readOptions(world, channel, command, options, findUpload, isComplete) };
}

function resolveUser(world: World, channel: Channel, id: string): object {
  const user = world.users.get(id);
  const guild = guildOf(world, channel);
  if (!user || !(isDm(channel) ? channel.userIds.includes(id) : guild?.members.has(id))) throw new Error('This member is gone.');
  return {
    users: { [id]: user },
    ...(guild && { members: { [id]: asResolvedMember(guild, id, channel) } }),
  };
}
