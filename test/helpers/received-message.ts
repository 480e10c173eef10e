// Messages as discord.js makes them of what Discord sends, without a connection: a server with Robin, Sam, a role and a channel.
import { type APIMessage, ChannelType, Client, type Message, MessageType } from 'discord.js';

const GUILD = '100';
const CHANNEL = '200';

/** The members' names in the server, by id. */
const members = { '1': 'Robin', '2': 'Sam' };

/** Receives messages of Robin's. */
export function receiver() {
  const client = new Client({ intents: [] });
  const user = (id: string) => ({ id, username: `user${id}`, global_name: `User ${id}`, discriminator: '0', avatar: null });
  // What the library does with GUILD_CREATE and MESSAGE_CREATE; its types keep these functions to itself.
  const guilds = client.guilds as unknown as { _add(data: object): { channels: { cache: Map<string, { messages: MessageManager }> } } };
  const guild = guilds._add({
    id: GUILD,
    name: 'Server',
    roles: [{ id: '300', name: 'Night owls', permissions: '0', position: 1 }],
    channels: [{ id: CHANNEL, type: ChannelType.GuildText, name: 'general-chat', position: 0, permission_overwrites: [] }],
    members: Object.entries(members).map(([id, name]) => ({
      user: user(id),
      nick: name,
      roles: [],
      joined_at: '2026-01-01T00:00:00Z',
    })),
  });

  return (content: string, rest: Partial<Record<keyof APIMessage, unknown>> = {}): Message<true> => {
    const data = {
      id: '900',
      channel_id: CHANNEL,
      guild_id: GUILD,
      type: MessageType.Default,
      author: user('1'),
      content,
      ...rest,
    };
    const channel = guild.channels.cache.get(CHANNEL);
    if (!channel) throw new Error('The server has no channel.');
    return channel.messages._add({ attachments: [], embeds: [], mentions: [], mention_roles: [], flags: 0, ...data }, false);
  };
}

interface MessageManager {
  _add(data: object, cache: boolean): Message<true>;
}
