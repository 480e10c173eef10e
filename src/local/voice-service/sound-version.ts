// Which sound the built-in voices make of a text. It loads nothing, so that the bot can ask.

/**
 * To be raised whenever a built-in voice would say something else, or sound different: sounds, samples and levels that were kept of an earlier
 * version are then made again. The ids of voices stay.
 */
export const SOUND_VERSION = 2;
