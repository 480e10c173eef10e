// How a text is read out: a hundred sentences, each with what a person would say, and a comparison of what was said with what a recogniser wrote:
// "7:30 PM" is "seven thirty p m", and "wifi" is "Wi-Fi". Every eighth sentence is read alike on both sides of the Atlantic.
import { toSpokenText } from '../../src/local/voice-service/engines/kokoro/spoken-text.ts';
import { wordsOf } from './speech.ts';

export interface SpokenSentence {
  text: string;
  /** In words, with initialisms letter by letter. */
  said: string;
}

const plain = (text: string): SpokenSentence => ({ text, said: text });
const as = (text: string, said: string): SpokenSentence => ({ text, said });

export const SPOKEN_SENTENCES: readonly SpokenSentence[] = [
  plain('The children followed him home to dinner.'),
  as('The train leaves at 7:30 p.m. and arrives at 10:05.', 'The train leaves at seven thirty p m and arrives at ten oh five.'),
  as('Dr. Smith lives at 12 Baker St., next to the church.', 'Doctor Smith lives at twelve Baker Street, next to the church.'),
  as('It costs $45.50, or about €40.', 'It costs forty five dollars and fifty cents, or about forty euros.'),
  as('NASA and the FBI published three reports.', 'NASA and the F B I published three reports.'),
  as("O'Brien's Wi-Fi is down again, isn't it?", "O'Brien's wifi is down again, isn't it?"),
  as('On March 3, 2024, we moved to a new office.', 'On March third, twenty twenty four, we moved to a new office.'),
  plain("We don't know whether they'll agree with the proposal."),
  as('I ran 5.5 km in 25 minutes.', 'I ran five point five kilometers in twenty five minutes.'),
  plain('A dark tunnel leads through the mountain to the other side.'),
  as(
    'About 1,200 people came, which is 15% more than last year.',
    'About one thousand two hundred people came, which is fifteen percent more than last year.',
  ),
  plain('Please call me back before the end of the week.'),
  as('Mr. and Mrs. Jones met Prof. Lee at 5th Ave.', 'Mister and Missus Jones met Professor Lee at fifth Avenue.'),
  plain('She sells seashells by the seashore every summer.'),
  as('The file has 16 GB, so copying took 2 hrs.', 'The file has sixteen gigabytes, so copying took two hours.'),
  plain('Could you turn down the music a little?'),
  as('We met in 1999 and married in 2010.', 'We met in nineteen ninety nine and married in twenty ten.'),
  as(
    "It's 72°F outside, and it was 50 °F last night.",
    "It's seventy two degrees Fahrenheit outside, and it was fifty degrees Fahrenheit last night.",
  ),
  as('Bring fruit, e.g. apples, and a knife, i.e. a sharp one.', 'Bring fruit, for example, apples, and a knife, that is, a sharp one.'),
  plain('My favorite game just got a huge update, and everybody is playing it.'),
  as('She came in 1st, and he came in 22nd.', 'She came in first, and he came in twenty second.'),
  as('Open the URL in a browser, and save it as a PDF.', 'Open the U R L in a browser, and save it as a P D F.'),
  plain('The weather forecast says it will rain for the whole weekend.'),
  as('The recipe needs 1/2 cup of sugar and 3/4 cup of milk.', 'The recipe needs one half cup of sugar and three quarters cup of milk.'),
  as('Our team won 3-2, and the next match is at 6 pm.', 'Our team won three to two, and the next match is at six p m.'),
  plain('Thank you very much for your help, I really appreciate it.'),
  as('Call 555-0123 if you have any questions.', 'Call five five five, zero one two three if you have any questions.'),
  plain('Nobody expected the small team to win the championship.'),
  as('The house on Elm Dr. was built in the 1960s.', 'The house on Elm Drive was built in the nineteen sixties.'),
  as('That was great 😂👍', 'That was great, tears of joy, thumbs up'),
  as('He earns $85,000 a year.', 'He earns eighty five thousand dollars a year.'),
  as("McDonald's opens at 6:00.", "McDonald's opens at six o'clock."),
  as('Idk, but btw the server is online 24/7.', "I don't know, but by the way the server is online twenty four seven."),
  plain('He bought a loaf of bread, two pounds of cheese and a bottle of milk.'),
  as('The U.S. economy grew by 2.5% in 2023.', 'The U S economy grew by two point five percent in twenty twenty three.'),
  plain('The museum is closed on Mondays, but open until eight on Thursdays.'),
  as('The speed limit is 65 mph.', 'The speed limit is sixty five miles an hour.'),
  as('Version 2.0.1 fixes a well-known bug.', 'Version two point zero point one fixes a well known bug.'),
  as('He is 6 ft. tall and weighs 180 lbs.', 'He is six feet tall and weighs one hundred eighty pounds.'),
  plain('What time does the meeting start, and who is going to be there?'),
  as('There are 5-10 people in the room.', 'There are five to ten people in the room.'),
  as('The CEO of the company spoke with the BBC.', 'The C E O of the company spoke with the B B C.'),
  plain("Our neighbor's dog barks at every car that passes the house."),
  as('Visit example.com for more information.', 'Visit example dot com for more information.'),
  as('The deadline is November 24, 2026.', 'The deadline is November twenty fourth, twenty twenty six.'),
  plain('In the middle of the night, a strange noise woke the whole family.'),
  as('Tickets are £12 for adults and £5 for children.', 'Tickets are twelve pounds for adults and five pounds for children.'),
  plain('The government announced new measures to protect the environment.'),
  as('St. Patrick was a bishop.', 'Saint Patrick was a bishop.'),
  as('I read the book last year, & I want to read it again.', 'I read the book last year, and I want to read it again.'),
  as("The '80s had the best music, didn't they?", "The eighties had the best music, didn't they?"),
  plain('Remember to save your work before you restart the computer.'),
  as('The answer is -5, not 7.', 'The answer is minus five, not seven.'),
  plain("Let's meet at the station around a quarter past six."),
  as('Turn left on Main St. and drive for 3 miles.', 'Turn left on Main Street and drive for three miles.'),
  as('My phone has a 50 MP camera and 8 GB of RAM.', 'My phone has a fifty M P camera and eight gigabytes of RAM.'),
  as('You owe me $1, and I owe you 75¢.', 'You owe me one dollar, and I owe you seventy five cents.'),
  as('The temperature was -5 °C at 9 a.m.', 'The temperature was minus five degrees Celsius at nine a m.'),
  plain('The engineers finished the bridge six months ahead of schedule.'),
  as('Water boils at 100 degrees and freezes at 0.', 'Water boils at one hundred degrees and freezes at zero.'),
  as('They live in apartment #12 on the 3rd floor.', 'They live in apartment number twelve on the third floor.'),
  plain('Everything sounds better with a good pair of headphones.'),
  as('Joe Smith Jr. works for Apple Inc. in California.', 'Joe Smith Junior works for Apple Incorporated in California.'),
  plain("It's a state of the art machine, and it wasn't cheap."),
  as('About 3 million tourists visit Rome every month.', 'About three million tourists visit Rome every month.'),
  plain('Who would have thought that such a thing could happen?'),
  as('The UN was founded in 1945.', 'The U N was founded in nineteen forty five.'),
  as('Today is Monday, Jan. 5.', 'Today is Monday, January fifth.'),
  plain('The old lighthouse keeper climbed the stairs every evening.'),
  as('Use the USB port, or connect over Wi-Fi.', 'Use the U S B port, or connect over wifi.'),
  as('He said "never again" and left.', 'He said never again and left.'),
  plain("They've been waiting for the results since yesterday."),
  as('The winner gets $2.5 million.', 'The winner gets two point five million dollars.'),
  as('Pages 10-20 are missing, etc.', 'Pages ten to twenty are missing, et cetera.'),
  plain('I would rather stay at home and watch a movie tonight.'),
  as('The concert starts at 20:15.', 'The concert starts at twenty fifteen.'),
  as('Sgt. Miller and Capt. Brown arrived at noon.', 'Sergeant Miller and Captain Brown arrived at noon.'),
  plain('Fresh vegetables are better than anything from a can.'),
  as('I love this song ❤️', 'I love this song, red heart'),
  as('The distance is approx. 300 m.', 'The distance is approximately three hundred meters.'),
  as('Two thirds, or 2/3, of all voters said yes.', 'Two thirds, or two thirds, of all voters said yes.'),
  plain('Please be quiet, the baby is sleeping in the next room.'),
  as('Rock & roll was born in the 1950s.', 'Rock and roll was born in the nineteen fifties.'),
  as('The flight takes 11 hrs. and 45 min.', 'The flight takes eleven hours and forty five minutes.'),
  plain('Scientists have discovered a new species of butterfly.'),
  as('Please send the file to info@example.org.', 'Please send the file to info at example dot org.'),
  as('Episode 7 of season 3 is out now!', 'Episode seven of season three is out now!'),
  plain('The river was frozen, so the boys went skating.'),
  as('She drives an SUV, and he rides a BMX bike.', 'She drives an S U V, and he rides a B M X bike.'),
  as('Chapter 12 begins on page 345.', 'Chapter twelve begins on page three hundred forty five.'),
  plain('Nothing is more important than a good night of sleep.'),
  as('Wait... what? No way!', 'Wait, what? No way!'),
  as('It rained 20 mm on Tuesday, Oct. 14.', 'It rained twenty millimeters on Tuesday, October fourteenth.'),
  plain('The teacher asked the students to open their books.'),
  as('You can pay by card vs. cash.', 'You can pay by card versus cash.'),
  as("Ms. O'Connor's T-shirt is blue.", "Miz O'Connor's T shirt is blue."),
  plain("He couldn't remember where he had parked the car."),
  as('The 2nd of 4 parts is done, i.e. 50%.', 'The second of four parts is done, that is, fifty percent.'),
  plain('A cup of hot coffee is the best way to start a day.'),
  plain('Good night, everybody, and see you tomorrow!'),
];

/** Written in one way by a person and in another by the recogniser, and heard alike. */
const ALIKE: Readonly<Record<string, string>> = {
  oh: 'o',
  okay: 'ok',
  miz: 'ms',
  miss: 'ms',
  missus: 'mrs',
  mister: 'mr',
  cetera: 'cetra',
};
/** The recogniser writes "sixty S". */
const DECADE = /^(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies$/;
/** Words that are written together or apart at will. */
const MAX_JOINED = 4;

/** @param text as a person or the recogniser writes it */
export function spokenWords(text: string): string[] {
  return wordsOf(toSpokenText(text, 'american').replaceAll('_', ' '))
    .map((word) => word.replaceAll("'", '').replace(/(met|lit)re(s?)$/, '$1er$2'))
    .flatMap((word) => (DECADE.test(word) ? [word.replace(/ies$/, 'y'), 's'] : [ALIKE[word] ?? word]));
}

/** Words inserted, left out or changed, at the least; joining words or writing one apart is no error. */
export function countSpokenErrors(said: string, heard: string): number {
  const [expected, actual] = [spokenWords(said), spokenWords(heard)];
  const costs = Array.from({ length: expected.length + 1 }, () => new Array<number>(actual.length + 1).fill(Infinity));
  const cost = (i: number, j: number) => costs[i]?.[j] ?? Infinity;
  for (let i = 0; i <= expected.length; i++) {
    for (let j = 0; j <= actual.length; j++) {
      const row = costs[i] as number[];
      if (i === 0 && j === 0) row[j] = 0;
      else row[j] = Math.min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, i > 0 && j > 0 ? cost(i - 1, j - 1) + 1 : Infinity);
      for (let left = 1; left <= Math.min(i, MAX_JOINED); left++) {
        for (let right = 1; right <= Math.min(j, MAX_JOINED); right++) {
          if (left > 1 && right > 1) continue;
          if (expected.slice(i - left, i).join('') === actual.slice(j - right, j).join(''))
            row[j] = Math.min(row[j] as number, cost(i - left, j - right));
        }
      }
    }
  }
  return cost(expected.length, actual.length);
}
