// The local Discord: REST, gateway, voice, attachments and a page for members, all on loopback. It imports nothing of the bot, so that
// any bot can be tried on it.
//
// world/ holds the state and emits its changes as events; rest/, gateway/ and voice/ are what the bot talks to; member/ is a member's
// client, which page/ shows in the browser; pictures/ draws its stickers and emoji; messages/ and interactions/ are the rules that both sides share.

export { startLocalDiscord } from './local-discord.ts';
export type { MemberClient } from './member/member-client.ts';
export type { RestExchange } from './rest/types.ts';
export type { LocalDiscord, LocalDiscordOptions } from './types.ts';
export { trustCertificate } from './voice/voice-server.ts';
