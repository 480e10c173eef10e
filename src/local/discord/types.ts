// The options of a local Discord, and how it is controlled from outside.
import type { APIMessage, InteractionType, Locale } from 'discord-api-types/v10';
import type { Gateway } from './gateway/gateway.ts';
import type { IdentifyLimitOptions } from './gateway/identify-limits.ts';
import type { LocalDiscordLog } from './log.ts';
import type { MemberClient } from './member/member-client.ts';
import type { Speak } from './member/talkers.ts';
import type { Texts } from './page/protocol.ts';
import type { RestFault } from './rest/faults.ts';
import type { RestExchange } from './rest/types.ts';
import type { Mode } from './voice/transport-cipher.ts';
import type { VoiceServer } from './voice/types.ts';
import type { World } from './world/world.ts';

export interface LocalDiscordOptions {
  /** Port for REST, gateway, attachments and page; by default a free one. */
  port?: number;
  /** Part of the page's address, and required to use it; random by default. With the same key, an open page reconnects after a restart. */
  pageKey?: string;
  /** The application that will connect. */
  application?: { name: string; description: string };
  /** What its page tells newcomers, in this language; asked each time it is shown. By default, the application's description. */
  introduce?: ((locale: Locale) => Texts) | undefined;
  /** A page was opened, or is still open after a restart. */
  onOpened?: (() => void) | undefined;
  /** Privileged gateway intents (bits) that are enabled for the application; none by default. */
  privilegedIntents?: number;
  /** Who has installed the application: the guilds, or each member (it is then in no guild), or both (the default). */
  installedBy?: 'guild' | 'member' | 'both';
  /**
   * A folder of its own, where it keeps its ids, its settings and the last day's messages over restarts; by default it keeps nothing. Who
   * installed the application, the guilds and their members are then those of the first start.
   */
  directory?: string;
  /** How many guilds there are (default 1). All have the same channels, and members of their own besides Robin. */
  guilds?: number;
  /** Members of each guild, not counting the application (default 2). */
  members?: number;
  /** The language that every guild prefers (default en-US). */
  preferredLocale?: Locale;
  /** What is kept at most: messages of each channel (default 500), and bytes of all attachments (default 256 MiB). */
  retention?: { messagesPerChannel?: number; attachmentBytes?: number };
  /** The encryption modes that voice servers offer, in order of preference; all by default. */
  voiceModes?: readonly Mode[];
  /** Heartbeat interval in ms (default Discord's 41,250). */
  heartbeatMs?: number;
  /** How long the application has for its first answer to an interaction, in ms (default Discord's 3,000). */
  responseMs?: number;
  /** How many shards `GET /gateway/bot` recommends (default 1). */
  shards?: number;
  /** How often the application may identify; not enforced unless it says so. */
  identifyLimits?: IdentifyLimitOptions;
  /** Says a text with one of several voices: with it, other members can talk in voice channels. */
  speak?: Speak;
  /** The `custom_id` of a button that those who talk press wherever it appears in the chat of their voice channel, for instance to be heard. */
  talkersPress?: string;
  /** In ms, how long the pauses between their sentences are on average (default 800). */
  talkPauseMs?: number;
  /** In ms, how far apart the messages of the page's crowd are on average (default 5,000). */
  crowdPaceMs?: number;
  /** How many times as fast as Discord's the windows of rate limits pass (default 1). */
  rateLimitPace?: number;
  log?: LocalDiscordLog;
}

export interface LocalDiscord {
  /** Its origin. */
  url: string;
  /** The page's address, including the key, for this member (default Robin). */
  pageUrl(user?: string): string;
  /** For DISCORD_API_URL: the REST base without version. */
  apiUrl: string;
  /** The origin of attachments. */
  cdnUrl: string;
  readonly application: { readonly id: string; readonly token: string };
  /** Id of the first guild. */
  guildId: string;
  guildIds: string[];
  /** What `introduce` returns is another: open pages show it. */
  updateIntroduction(): void;
  /** In the first guild by default. @throws Error if there is no channel of this name */
  channelId(name: string, guildId?: string): string;
  /** PEM of the voice server's certificate: see trustCertificate. */
  certificate: string;
  /**
   * Opens a client of this member, by name or id: Robin (default), who owns everything, Sam, or another. Looks in this guild, or in all.
   * `locale`: the language of the member's Discord from now on. @throws Error if unknown
   */
  member(name?: string, options?: { guildId?: string | undefined; locale?: Locale }): MemberClient;
  world: World;
  /** The language that a guild prefers, by default the first one. */
  setPreferredLocale(locale: Locale, guildId?: string): void;
  /** Moves a user to another voice channel, or out of voice (null), as a moderator would. In the first guild by default. */
  moveUser(userId: string, channelId: string | null, guildId?: string): void;
  /**
   * Mutes or unmutes a member as a moderator would; this outlasts their leaving. In the first guild by default.
   * @throws Error if they aren't in a voice channel
   */
  setServerMute(userId: string, isMuted?: boolean, guildId?: string): void;
  /** Replaces a channel's permission overwrite for a member or role; `{}` removes it. */
  setPermissions(channelId: string, memberOrRoleId: string, permissions: { allow?: bigint; deny?: bigint }): void;
  /** Members in the channel leave voice. */
  deleteChannel(channelId: string): void;
  /** Has a new webhook of this name write a message. @throws Error if there is no such channel, or it is a thread */
  writeAsWebhook(channelId: string, name: string, content: string): APIMessage;
  /** Adds the application to a guild. */
  addBot(guildId: string): void;
  /** Removes the application from a guild. */
  removeBot(guildId: string): void;
  /** Whether a user has installed the application for themselves. */
  setUserInstalled(userId: string, isInstalled: boolean): void;
  /** Whether a user accepts direct messages from applications; initially, all do. */
  setAcceptsDms(userId: string, accepts: boolean): void;
  /** Adds a role, in the first guild by default. @returns its id */
  addRole(name: string, permissions: bigint, guildId?: string): string;
  /** `roleId`: a guild's id is its @everyone role. */
  setRolePermissions(roleId: string, permissions: bigint, guildId?: string): void;
  /** Replaces a member's roles, in the first guild by default. */
  setRoles(userId: string, roleIds: string[], guildId?: string): void;
  gateway: Omit<Gateway, 'accept' | 'close'>;
  voice: VoiceServer;
  /** The faults injected into REST; the first that matches a request and has `times` left applies. */
  restFaults: RestFault[];
  /** Adds a fault for the next `times` requests (default 1) whose `METHOD /path` matches. */
  failRest(match: RegExp, how: RestFault['how'], times?: number): void;
  /** What AutoMod lets the application neither send nor edit into a message; empty at first. */
  blockedWords: string[];
  /** Refuses all requests that count towards the application's global limit (those of interactions don't), for as long. */
  limitRest(seconds: number): void;
  /** Calls the listener after each REST response. */
  onRestRequest(listener: (exchange: RestExchange) => void): void;
  /** Closes the application's voice gateway connection with this code; null breaks it. In the first guild by default. */
  closeVoiceGateway(code: number | null, guildId?: string): void;
  /**
   * Moves all calls to another voice server, and tells the application; with `gap`, first that there is none for this many ms.
   * `isTrusted: false`: the new server has a certificate that nobody trusts.
   */
  changeVoiceServer(options?: { isTrusted?: boolean; gap?: number }): Promise<void>;
  /**
   * Sends an interaction that no real client would, with any data. Only that the member sees the channel is checked.
   * `messageId`: the message of the component. @returns the interaction's id
   */
  forgeInteraction(
    member: MemberClient,
    interaction: { channelId: string; type: InteractionType; data: object; messageId?: string },
  ): string;
  /** Makes all pending initial responses late (3 s), or all interaction tokens expire (15 min). */
  expireInteractions(what: 'initial responses' | 'tokens'): void;
  /** Replaces `responseMs` for interactions from now on. */
  limitResponses(ms: number): void;
  close(): Promise<void>;
}
