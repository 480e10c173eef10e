// Voice: one session per guild, which joins a channel, plays utterances in turn, hears members who have agreed to it, and leaves. It knows
// Discord and no API.
//
//   sessions.ts        the sessions of a client, one per guild: each leaves when idle or alone, and fails utterances while muted
//   playlist.ts        a session's utterances, in a fair order
//   player.ts          an utterance's packets, sent on time by the ticker that all players share
//   hearing.ts         whose packets are heard, and what to do when they can't be decrypted
//   jitter-buffer.ts   one speaker's packets, in order
//   rtp.ts             packets of sound: what they hold besides, and their transport encryption
//   connection.ts      one voice connection, whose gate opens once packets are end-to-end encrypted
//
// How a connection heals: @discordjs/voice resumes and rejoins automatically; voice-state-sender.ts paces these joins.
// networking.ts notices when packets no longer arrive. A connection that is not ready within 10 s is joined once more; if that fails too,
// the session ends with the most likely reason. After a healed break, the player sends again what nobody heard.

export { createSessions } from './sessions.ts';
export * from './types.ts';
