// What can be asked of a local Discord, and done to it.
import type { InteractionType } from 'discord-api-types/v10';
import type { Gateway } from './gateway/index.ts';
import type { MemberClient } from './member/index.ts';
import type { RestFault, RestFaults } from './rest/faults.ts';
import type { SeenRequest } from './rest/index.ts';
import type { VoiceServer } from './voice/types.ts';
import type { World } from './world/index.ts';

export interface LocalDiscordOptions {
  /** Of REST, gateway, attachments and page; 0, the default, takes a free one. */
  port?: number;
  /** Lets the page in, as part of its address; one made at random unless given. Given again, a page that is open comes back after a restart. */
  pageKey?: string;
  /** How the application that will connect is called. */
  application?: { name: string; description: string };
  /** Privileged gateway intents that are switched on for the application, as bits; none unless given. */
  privilegedIntents?: number;
  /** Who installed the application: the guilds, or members for themselves, so that the application is no member of a guild, or both (the default). */
  installedBy?: 'guild' | 'member' | 'both';
  /** How many guilds there are; 1 unless given. All have the same channels, and people of their own beside Robin. */
  guilds?: number;
  /** Members of each guild, beside the application; 2 unless given. */
  members?: number;
  /** What is remembered at most: messages of a channel (500), and bytes of all attachments (512 MiB). */
  keep?: { messages?: number; uploadBytes?: number };
  /** ms; Discord's is 41,250. */
  heartbeatMs?: number;
  log?: LocalDiscordLog;
}

/** Takes what an operator may want to know; never tokens or content. */
export interface LocalDiscordLog {
  debug(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export interface LocalDiscord {
  /** Its origin. */
  url: string;
  /** The page as this member sees it, Robin by default, with the key that lets it in. */
  pageUrl(user?: string): string;
  /** For DISCORD_API_URL: the REST base without version. */
  apiUrl: string;
  /** Origin of attachments. */
  cdnUrl: string;
  application: { id: string; token: string };
  /** Of the first guild. */
  guildId: string;
  guildIds: string[];
  /** Of the first guild, unless another is given. @throws Error where no channel has this name. */
  channelId(name: string, guildId?: string): string;
  /** PEM of the voice server's certificate: see trustCertificate. */
  certificate: string;
  /** A member at the keyboard, by name or id: `Robin`, who owns application and guilds (the default), or `Sam`, another one in each guild. */
  member(name?: string, guildId?: string): MemberClient;
  world: World;
  /** Moves a user as a moderator would; null puts out of voice, in the first guild unless another is given. */
  moveUser(userId: string, channelId: string | null, guildId?: string): void;
  /**
   * Mutes who is in voice as a moderator would, or unmutes; in the first guild unless another is given. The mute outlasts their leaving.
   * @throws Error where they are in no voice channel
   */
  setServerMute(userId: string, isMuted?: boolean, guildId?: string): void;
  /** Sets a member's or a role's own permissions in a channel (nothing: as everybody's). Who may no longer speak there is told so. */
  setPermissions(channelId: string, userOrRoleId: string, permissions: { allow?: bigint; deny?: bigint }): void;
  /** Whoever is in it is put out of voice. */
  deleteChannel(channelId: string): void;
  /** Lets the application into a guild that it is no member of. */
  invite(guildId: string): void;
  /** Puts the application out of a guild. */
  putOut(guildId: string): void;
  /** A member installs the application for themselves, or does so no longer. */
  setInstalled(userId: string, isInstalled: boolean): void;
  /** Whether a user takes direct messages of applications; everybody does at first. */
  setDmsOpen(userId: string, areOpen: boolean): void;
  /** Gives the id of a new role, of the first guild unless another is given. */
  addRole(name: string, permissions: bigint, guildId?: string): string;
  /** Of a role, or with a guild's id of everybody in it. */
  setRolePermissions(roleId: string, permissions: bigint, guildId?: string): void;
  /** In place of all roles that the member had. */
  setRoles(userId: string, roleIds: string[], guildId?: string): void;
  gateway: Omit<Gateway, 'accept' | 'close'>;
  voice: VoiceServer;
  rest: RestFaults & { onRequest(listener: (request: SeenRequest) => void): void };
  /** The next `times` requests whose `METHOD /path` fits fail in this way. */
  failRest(match: RegExp, how: RestFault['how'], times?: number): void;
  /** Closes the application's connection to the voice gateway, in the first guild unless another is given; null breaks its TCP connection. */
  closeVoice(code: number | null, guildId?: string): void;
  /** Switches end-to-end encryption of a voice channel off or on, for who is in it and for who comes. */
  setEncryption(channelId: string, isOn: boolean): void;
  /**
   * Calls go on at another voice server, which every bot in voice is told; with `gap`, that there is none, and the new one after so
   * many ms. `isTrusted: false`: its certificate is one that nobody trusts.
   */
  changeVoiceServer(options?: { isTrusted?: boolean; gap?: number }): Promise<void>;
  /**
   * Lets a member do what no client would: an interaction with any data, on any message (a component's always has one). Gives its id.
   * Nothing of it is checked, but that the member sees the channel.
   */
  forge(member: MemberClient, deed: { channelId: string; type: InteractionType; data: object; messageId?: string }): string;
  /** The 3 s, or the 15 min, of every interaction are over now. */
  expire(what: 'first answers' | 'tokens'): void;
  close(): Promise<void>;
}
