// What /read says, and what is spoken around a message that is read aloud.
export const reading = {};
