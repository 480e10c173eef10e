// What is said around /voices.

export const voices = {
  noVoices: 'No voice fits these filters. Leave one of them out, or write it differently.',
  pastTheEnd: (page: number, pages: number) =>
    `There is no page ${page}: ${pages === 1 ? 'there is only one page' : `the last one is page ${pages}`}. Choose a page from 1 to ${pages}.`,
  mineForOperators:
    'The own voices belong to the account of whoever runs me, so only they can list them. Leave `mine` out to see the public ones.',
} as const;
