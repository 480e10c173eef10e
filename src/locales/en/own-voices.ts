// What /voice says, about voices that members make of recordings.
export const ownVoices = {};
