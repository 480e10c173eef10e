// What /dictionary says.
export const dictionary = {};
